/** Things that the user, or a program of the user's, would obey or run later. */
import { type Attempt, rootOnly, writes } from "../attempt.ts";

const loots = 'echo \\"$MARK\\" >> \\"$LOOT\\"';
const plantsProgram = (path: string) =>
  `mkdir -p "$(dirname "${path}")"; printf '#!/bin/sh\\necho "%s" >> "%s"\\n' "$MARK" "$LOOT" > "${path}"; chmod +x "${path}"`;
const withoutLayers = {
  by: "without layers",
  reason: "without layers, package managers write to the real caches",
} as const;
const gitRuns = (file: string) => `git config --file "${file}" core.fsmonitor "${loots}; false"`;

export const later: readonly Attempt[] = [
  {
    name: "put a git of its own into ~/.local/bin",
    script: plantsProgram("$HOME/.local/bin/git"),
    evidence: { ran: ["$HOME/.local/bin/git"] },
  },
  {
    name: "replace a program that the user has in ~/.local/bin",
    script: plantsProgram("$HOME/.local/bin/tool"),
    evidence: { ran: ["$HOME/.local/bin/tool"] },
  },
  {
    name: "have every login shell run a command (~/.profile)",
    script: `echo "${loots}" >> "$HOME/.profile"`,
    evidence: { ran: ["sh", "-l", "-c", ":"] },
  },
  {
    name: "have every bash run a command (~/.bashrc)",
    script: `echo "${loots}" >> "$HOME/.bashrc"`,
    evidence: { ran: ["bash", "-i", "-c", ":"] },
    needs: ["bash"],
  },
  {
    name: "have git run a command everywhere (~/.gitconfig)",
    script: gitRuns("$HOME/.gitconfig"),
    evidence: { ran: ["git", "-C", "$OTHER_REPO", "status"] },
  },
  {
    name: "have git run a command everywhere (~/.config/git/config)",
    script: `mkdir -p "$HOME/.config/git"; ${gitRuns("$HOME/.config/git/config")}`,
    evidence: {
      ran: ["env", "GIT_CONFIG_GLOBAL=$HOME/.config/git/config", "git", "-C", "$OTHER_REPO", "status"],
    },
  },
  {
    name: "have git run a command in the user's repository (.git/config)",
    script: gitRuns("$REPO/.git/config"),
    evidence: { ran: ["env", "GIT_CONFIG_GLOBAL=/dev/null", "git", "-C", "$REPO", "status"] },
  },
  {
    name: "give the user's repository a hook",
    script: plantsProgram("$REPO/.git/hooks/pre-commit"),
    evidence: { ran: ["git", "-C", "$REPO", "commit", "-q", "--allow-empty", "-m", "x"] },
  },
  writes("give the user's repository attributes", "$REPO/.git/info/attributes"),
  writes("write to ~/.zshenv", "$HOME/.zshenv"),
  writes("write to ~/.config/fish", "$HOME/.config/fish/conf.d/planted.fish"),
  writes("let somebody sign in (~/.ssh/authorized_keys)", "$HOME/.ssh/authorized_keys"),
  writes("have ssh run a command (~/.ssh/config)", "$HOME/.ssh/config"),
  writes("have a command run at every sign-in (~/.ssh/rc)", "$HOME/.ssh/rc"),
  writes("add a systemd unit of the user's", "$HOME/.config/systemd/user/planted.service"),
  writes("add a program that starts with the desktop", "$HOME/.config/autostart/planted.desktop"),
  writes("add a job to the machine's cron", "/etc/cron.d/$PROBE", {
    script: '[ -d /etc/cron.d ] && echo "# $MARK" > "/etc/cron.d/$PROBE"',
    withoutSandbox: rootOnly,
  }),
  writes("give npm another configuration (~/.npmrc)", "$HOME/.npmrc"),
  writes("give cargo another compiler (~/.cargo/config.toml)", "$HOME/.cargo/config.toml"),
  writes("give vim commands to run (~/.vimrc)", "$HOME/.vimrc"),
  writes("poison npm's cache", "$HOME/.npm/_cacache/content", { notHeld: withoutLayers }),
  writes("poison cargo's sources", "$HOME/.cargo/registry/src/lib.rs", { notHeld: withoutLayers }),
  writes("poison Go's modules", "$HOME/go/pkg/mod/one.go", { notHeld: withoutLayers }),
  writes("give Claude Code a hook", "$HOME/.claude/settings.json"),
  writes("give Claude Code a server", "$HOME/.claude.json"),
  writes("change Codex's configuration", "$HOME/.codex/config.toml"),
  writes("change the Gemini CLI's configuration", "$HOME/.gemini/settings.json"),
  writes("change opencode's configuration", "$HOME/.config/opencode/opencode.json"),
];
