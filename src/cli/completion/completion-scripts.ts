/**
 * The scripts that make a shell complete `cox`. They know none of its commands: each one calls `cox complete` and
 * offers what it prints. Paths are left to the shell.
 *
 * Names of tasks, agents and files are written by others. No script evaluates them, and whatever is inserted into the
 * line is quoted, so that Enter does not run it either: bash uses `printf %q` and its own quoting of file names; zsh
 * and fish quote by themselves.
 */
const bash = `# Completion of cox for bash. In ~/.bashrc: source <(cox completion bash)
_cox() {
  COMPREPLY=()
  local cur=\${COMP_WORDS[COMP_CWORD]} line value kind= split=
  local -a words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # Bash takes --name=value apart; only the value is put into the line then.
  if [[ $cur == = ]]; then split=1 cur=; elif [[ \${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then split=1; fi
  while IFS= read -r line; do
    if [[ -z $kind ]]; then
      kind=$line
      continue
    fi
    value=\${line%%$'\\t'*}
    [[ -n $split ]] && value=\${value#--*=}
    # Inside of an open quote there is no way to quote a name safely.
    [[ $cur == [\\'\\"]* ]] && continue
    [[ $value == *[![:alnum:]_./:=@%+,-]* ]] && printf -v value %q "$value"
    COMPREPLY+=("$value")
  done < <(command cox complete -- "\${words[@]}" 2>/dev/null)
  case $kind in
    plans | files | folders) compopt -o filenames 2>/dev/null ;;
    *) return 0 ;;
  esac
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
    compgen -d -- "$cur"
    [[ $kind == plans ]] && compgen -f -X '!*.md' -- "$cur"
    [[ $kind == files ]] && compgen -f -- "$cur"
  )
  return 0
}
complete -F _cox cox
`;

const zsh = `#compdef cox
# Completion of cox for zsh. In ~/.zshrc, behind compinit: source <(cox completion zsh)
_cox() {
  local -a lines values shown
  local line kind
  lines=("\${(@f)$(command cox complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  kind=$lines[1]
  shift lines
  case $kind in
    plans) compset -P '--*='; _files -g '*.md(-.)' ;;
    files) compset -P '--*='; _files ;;
    folders) compset -P '--*='; _files -/ ;;
    words)
      for line in $lines; do
        values+=("\${line%%$'\\t'*}")
        shown+=("\${line/$'\\t'/  -- }")
      done
      (( $#values )) && compadd -l -d shown -a values
      ;;
  esac
}
if [[ $funcstack[1] == _cox ]]; then _cox "$@"; else compdef _cox cox; fi
`;

const fish = `# Completion of cox for fish. In ~/.config/fish/config.fish: cox completion fish | source
function __cox_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -l lines (command cox complete -- $words "$current" 2>/dev/null)
    set -l kind $lines[1]
    set -e lines[1]
    switch "$kind"
        case plans
            __fish_complete_suffix .md
        case files
            __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current")
        case folders
            __fish_complete_directories (string replace -r '^--[^=]*=' '' -- "$current")
        case words
            test (count $lines) -gt 0; and printf '%s\\n' $lines
    end
end
complete -c cox -f -a '(__cox_complete)'
`;

export const completionScripts: ReadonlyMap<string, string> = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
]);
