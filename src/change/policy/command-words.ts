/**
 * Splits a shell line into its simple commands, each a list of words. It is not a shell: nothing is expanded, and the
 * contents of `$(…)`, a subshell or a block count as one more command. Callers only need what is written plainly.
 */
export function commandWords(line: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  for (const [token, operator] of line.matchAll(tokens)) {
    if (operator !== undefined) {
      commands.push(words);
      words = [];
    } else {
      words.push(unquoted(token));
      for (const [, inner = ""] of token.matchAll(/\$\(([^()]*)\)/g)) commands.push(...commandWords(inner));
    }
  }
  commands.push(words);
  return commands.map(withoutPrefix).filter((each) => each.length > 0);
}

/** An operator that begins another command, or a word with its quoted parts. */
const tokens = /(\$\(|[;&|()`\n]+)|(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|[^\s;&|()`"'\\])+|["'\\]/g;

function unquoted(word: string): string {
  return word.replace(/"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g, (_all, double, single, escaped) =>
    double === undefined ? (single ?? escaped) : double.replace(/\\([\s\S])/g, "$1"),
  );
}

/** Drops what precedes the program: keywords, variables, and programs that only start another one. */
function withoutPrefix(words: readonly string[]): string[] {
  const rest = [...words];
  for (;;) {
    const [first = "", second = ""] = rest;
    if (/^[A-Za-z_]\w*=/.test(first) || keywords.has(first)) rest.shift();
    else if (starters.has(first) && rest.length > 1) {
      rest.shift();
      while (rest.length > 1 && /^(?:-|\d)|=/.test(rest[0] ?? "")) rest.shift();
    } else if (first === "npx" && second !== "") rest.shift();
    else return rest;
  }
}

const keywords = new Set(["if", "then", "else", "elif", "while", "until", "do", "!", "{", "time"]);
const starters = new Set([
  "env",
  "exec",
  "command",
  "nice",
  "timeout",
  "cross-env",
  "sudo",
  "xvfb-run",
  "stdbuf",
]);
