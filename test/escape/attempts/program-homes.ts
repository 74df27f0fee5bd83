/**
 * Files that an agent program itself obeys or runs when the user starts it next. Each is tried through the program's
 * own driver, with the home that the driver makes accessible, both where the file exists and where it does not.
 */
import { type AgentProgram, type Attempt, writes } from "../attempt.ts";

/** Below the user's home. */
const obeyed: Readonly<Record<AgentProgram, readonly string[]>> = {
  "claude-code": [
    ...[".claude/settings.json", ".claude/hooks/planted", ".claude/CLAUDE.md"],
    ".claude/projects/-another-project/memory/MEMORY.md",
  ],
  codex: [".codex/config.toml", ".codex/AGENTS.md", ".codex/hooks.json"],
  gemini: [".gemini/settings.json", ".gemini/GEMINI.md", ".gemini/tmp/bin/rg"],
  opencode: [
    ...[".local/share/opencode/bin/rg", ".local/share/opencode/plugin/planted.js"],
    ".config/opencode/opencode.json",
  ],
};

const byPackageManagers = [".gradle/init.gradle", ".yarn/releases/yarn.cjs"];

/** In the home that is not bare. */
export const obeyedFiles: readonly string[] = [...Object.values(obeyed).flat(), ...byPackageManagers];

const kept = {
  by: "any",
  reason: "the program needs it in a later turn, and nothing in it is obeyed",
} as const;
const keptOfDesk = "$HOME/.claude/projects/$DESK_PROJECT/conversation.jsonl";

export const programHomes: readonly Attempt[] = [
  ...Object.entries(obeyed).flatMap(([agent, paths]) =>
    paths.flatMap((path) => changesAndAdds(path, agent as AgentProgram)),
  ),
  ...byPackageManagers.flatMap((path) => changesAndAdds(path)),
  writes("claude-code: add to the conversations of its desk", keptOfDesk, {
    agent: "claude-code",
    notHeld: kept,
  }),
  writes("claude-code: renew its sign-in", "$HOME/.claude/.credentials.json", {
    agent: "claude-code",
    notHeld: { by: "any", reason: "a renewed sign-in is kept, or the user would have to sign in again" },
  }),
];

function changesAndAdds(path: string, agent?: AgentProgram): Attempt[] {
  const who = agent ?? "a package manager";
  const by = agent === undefined ? {} : { agent };
  return [
    writes(`${who}: change ~/${path}`, `$HOME/${path}`, by),
    writes(`${who}: add ~/${path}`, `$BARE/${path}`, { ...by, isHomeBare: true }),
  ];
}
