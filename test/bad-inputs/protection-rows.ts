/** Files that nobody may write through a reply, and files that only a person may allow. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { create, edit, type Row, replyOf } from "./row.ts";

const refused: readonly (readonly [id: string, path: string, code: string])[] = [
  ["PROT-03", ".git", "PATH_PROTECTED"],
  ["PROT-06", "git~1/config", "PATH_PROTECTED"],
  ["PROT-06 upper", "GIT~1/hooks/x", "PATH_PROTECTED"],
  ...["events.jsonl", "state.json", "lock", "changesets/ledger.jsonl", "changesets/x/after/0"].map(
    (name) => [`PROT-12 ${name}`, `.coxswain/${name}`, "PATH_PROTECTED"] as const,
  ),
  ...[".env", ".env.local", ".envrc", "id_rsa", "server.pem", "tls.key", ".netrc", ".aws/credentials"].map(
    (name) => [`PROT-27 ${name}`, name, "PATH_SECRET"] as const,
  ),
  ["PROT-30", "node_modules/x/index.js", "PATH_PROTECTED"],
];

const waiting: readonly (readonly [id: string, ...paths: readonly string[]])[] = [
  ["PROT-10", ".gitmodules", ".gitattributes"],
  ["PROT-13", ".claude/settings.json"],
  [
    "PROT-14",
    ".claude/settings.local.json",
    ".claude/hooks/x.sh",
    ".claude/commands/x.md",
    ".claude/agents/x.md",
  ],
  ["PROT-15", ".mcp.json", ".cursor/mcp.json", ".Cursor/MCP.json"],
  ["PROT-16", ".vscode/settings.json"],
  ["PROT-17", ".vscode/tasks.json", ".vscode/launch.json", "my.code-workspace", ".idea/workspace.xml"],
  ["PROT-18", ".codex/config.toml"],
  ["PROT-19", ".gemini/settings.json", ".amazonq/mcp.json", ".roo/mcp.json", ".kiro/x", ".windsurf/x"],
  ["PROT-21", ".github/workflows/x.yml", ".github/actions/x/action.yml", ".gitlab-ci.yml"],
  ["PROT-21 others", ".circleci/config.yml", "Jenkinsfile", "azure-pipelines.yml"],
  ["PROT-26", ".husky/pre-commit", ".pre-commit-config.yaml", "lefthook.yml"],
];

const accepted: readonly (readonly [id: string, path: string])[] = [
  ["PROT-11", ".gitignore"],
  ["PROT-22", ".github/ISSUE_TEMPLATE/bug.md"],
  ["PROT-28", ".env.example"],
];

const packageJson = {
  name: "x",
  description: "old",
  scripts: { test: "vitest" },
};
const packageText = `${JSON.stringify(packageJson, null, 2)}\n`;
const lockText =
  '{\n  "packages": { "node_modules/a": { "resolved": "https://packages.example/a.tgz" } }\n}\n';

export const protectionRows: readonly Row[] = [
  ...refused.map(
    ([id, path, code]): Row => ({
      id,
      about: `${path} may not be written`,
      reply: () => replyOf(create("fine.txt"), create(path)),
      expect: { refused: code },
    }),
  ),
  ...waiting.flatMap(([id, ...paths]) =>
    paths.map(
      (path): Row => ({
        id: `${id} ${path}`,
        about: "a person is asked",
        reply: () => replyOf(create(path)),
        expect: { waiting: "PATH_SENSITIVE" },
      }),
    ),
  ),
  ...accepted.map(
    ([id, path]): Row => ({
      id,
      about: `${path} is an ordinary file`,
      reply: () => replyOf(create(path)),
      expect: { applied: { [path]: "content\n" } },
    }),
  ),
  {
    id: "PROT-09",
    about: "a bare repository planted in one reply",
    reply: () =>
      replyOf(
        create("x/HEAD", "ref: refs/heads/main\n"),
        create("x/objects/a"),
        create("x/refs/a"),
        create("x/config", "[core]\n\tfsmonitor = evil\n"),
      ),
    expect: { waiting: "PATH_BARE_REPO" },
  },
  ...[
    ['"postinstall": "evil", "test"', "a script that runs on install"],
    ['"prepare": "evil", "test"', "a script that runs on install"],
  ].map(
    ([now, about], at): Row => ({
      id: `PROT-23 ${at + 1}`,
      about: about ?? "",
      setUp: ({ root }) => writeFileSync(join(root, "package.json"), packageText),
      reply: () => replyOf(edit("package.json", ['"test"', now ?? ""])),
      expect: { waiting: "CONTENT_SENSITIVE" },
    }),
  ),
  {
    id: "PROT-23 test",
    about: "another test command",
    setUp: ({ root }) => writeFileSync(join(root, "package.json"), packageText),
    reply: () => replyOf(edit("package.json", ['"vitest"', '"evil"'])),
    expect: { waiting: "CONTENT_SENSITIVE" },
  },
  {
    id: "PROT-24",
    about: "another description",
    setUp: ({ root }) => writeFileSync(join(root, "package.json"), packageText),
    reply: () => replyOf(edit("package.json", ['"old"', '"new"'])),
    expect: { applied: { "package.json": packageText.replace('"old"', '"new"') } },
  },
  {
    id: "PROT-31",
    about: "a lock file that points elsewhere",
    setUp: ({ root }) => writeFileSync(join(root, "package-lock.json"), lockText),
    reply: () => replyOf(edit("package-lock.json", ["packages.example", "evil.example"])),
    expect: { waiting: "CONTENT_SENSITIVE" },
  },
  {
    id: "PROT-32",
    about: "the protected one is the last of 51",
    reply: () =>
      replyOf(
        ...Array.from({ length: 50 }, (_, at) => create(`f${at}.txt`)),
        create(".git/hooks/pre-commit"),
      ),
    expect: { refused: "PATH_PROTECTED" },
  },
  {
    id: "PROT-33",
    about: "a path outside what may be written",
    reply: () => replyOf(create("docs/a.md")),
    options: { writes: ["src/**"] },
    expect: { refused: "CLAIM_VIOLATION" },
  },
];
