import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import type { Change, Sha256 } from "../change.ts";
import type { TreePath } from "../path.ts";
import { folderNames } from "./folder-names.ts";
import { type Judgement, judgeChanges, type PolicyRules } from "./policy.ts";

interface Write {
  readonly path: string;
  readonly before?: string;
  /** Undefined when the file is deleted. */
  readonly after?: string;
}

const refusedPaths: readonly (readonly [row: string, code: string, ...paths: string[]])[] = [
  ["PROT-03", "PATH_PROTECTED", ".git", ".git/config", ".git/hooks/pre-commit", "a/b/.git/HEAD"],
  ["in any case", "PATH_PROTECTED", ".GIT/config", ".Git", "x/.gIt/y"],
  ["PROT-06", "PATH_PROTECTED", "git~1/config", "GIT~1/hooks/x", "git~2"],
  [
    "as NTFS and HFS+ see it",
    "PATH_PROTECTED",
    ".git./config",
    ".git /x",
    ".git::$INDEX_ALLOCATION/x",
    ".g\u200cit/x",
  ],
  ["LINK-21", "PATH_PROTECTED", "sub/.git"],
  [
    "PROT-12",
    "PATH_PROTECTED",
    ".coxswain/runs/1/events.jsonl",
    ".coxswain/changesets/lock",
    ".Coxswain/config.yaml",
  ],
  [
    "PROT-30",
    "PATH_PROTECTED",
    "node_modules/x/index.js",
    "a/Node_Modules/x",
    ".venv/bin/python",
    "a/__pycache__/x.pyc",
  ],
  ["other version control", "PATH_PROTECTED", ".hg/hgrc", ".svn/entries", ".jj/repo"],
  [
    "PROT-27",
    "PATH_SECRET",
    ".env",
    ".env.local",
    ".envrc",
    "id_rsa",
    "a/b.pem",
    "server.key",
    ".netrc",
    ".aws/credentials",
  ],
  ["PROT-27 in any case", "PATH_SECRET", ".ENV", "ID_RSA", "CERT.PEM", ".Env.Production"],
  [
    "more secrets",
    "PATH_SECRET",
    ".ssh/config",
    "id_ed25519",
    ".kube/config",
    ".pypirc",
    "x.p12",
    ".env.example.local",
  ],
];

test.each(refusedPaths)("%s: %s", (_row, code, ...paths) => {
  for (const path of paths) {
    for (const write of [
      { path, after: "x" },
      { path, before: "y", after: "x" },
      { path, before: "y" },
    ]) {
      expect([path, judged([write])]).toMatchObject([path, { refused: [{ code, path }], confirmations: [] }]);
    }
  }
});

const sensitivePaths: readonly (readonly [row: string, ...paths: string[]])[] = [
  ["PROT-10", ".gitmodules", ".gitattributes", "sub/.gitattributes"],
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
  [
    "PROT-17",
    ".vscode/tasks.json",
    ".vscode/launch.json",
    "my.code-workspace",
    ".idea/workspace.xml",
    ".idea/a/b",
  ],
  ["PROT-18", ".codex/config.toml"],
  ["PROT-19", ".gemini/settings.json", ".amazonq/mcp.json", ".roo/mcp.json", ".kiro/x/y", ".windsurf/x"],
  [
    "PROT-21",
    ".github/workflows/x.yml",
    ".github/actions/x/action.yml",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "Jenkinsfile",
    "azure-pipelines.yml",
  ],
  ["images", "Dockerfile", "api/Dockerfile.prod", "web.dockerfile", "Containerfile", "DOCKERFILE"],
  ["PROT-26", ".husky/pre-commit", ".pre-commit-config.yaml", "lefthook.yml"],
  [
    "orders to agents",
    "AGENTS.md",
    "packages/x/AGENTS.md",
    "CLAUDE.md",
    ".cursorrules",
    ".github/copilot-instructions.md",
  ],
  [
    "package managers",
    ".npmrc",
    ".yarnrc.yml",
    ".cargo/config.toml",
    "gradle/wrapper/gradle-wrapper.properties",
  ],
];

test.each(sensitivePaths)("%s: a person must confirm, whether the file is there or not", (_row, ...paths) => {
  for (const path of paths) {
    for (const before of [undefined, "old"]) {
      const write = { path, after: "new", ...(before === undefined ? {} : { before }) };
      const { refused, confirmations } = judged([write]);
      expect([path, refused]).toEqual([path, []]);
      expect(confirmations).toMatchObject([{ code: "PATH_SENSITIVE", path, sha256: hashOf("new") }]);
    }
  }
});

test.each([
  ["PROT-11", ".gitignore"],
  ["PROT-22", ".github/ISSUE_TEMPLATE/bug.md"],
  ["PROT-28", ".env.example"],
  ["templates", ".env.production.sample"],
  ["a public key", "id_rsa.pub"],
  ["names that only begin alike", ".github-notes.md"],
  ["git in a name", "src/git/x.ts"],
  ["a dot-git name", ".gitkeep"],
  ["a makefile", "Makefile"],
  ["environment in code", "src/env.ts"],
  ["key in a name", "src/keyboard.key.ts"],
  ["a tilde name", "git~x"],
])("%s: an ordinary file is let through: %s", (_row, path) => {
  expect(judged([{ path, after: "x\n" }])).toEqual({ refused: [], confirmations: [], warnings: [] });
});

test("PROT-11: rules that hide everything, or our own files, are warned about", () => {
  const { warnings, confirmations } = judged([{ path: ".gitignore", before: "dist\n", after: "dist\n*\n" }]);
  expect(confirmations).toEqual([]);
  expect(warnings).toMatchObject([{ code: "CONTENT_IGNORE", path: ".gitignore" }]);
  expect(judged([{ path: ".gitignore", before: "*\n", after: "*\n*.log\n" }]).warnings).toEqual([]);
});

test("PROT-09: a bare repository cannot be planted file by file unnoticed", () => {
  const paths = ["x/HEAD", "x/objects/a", "x/refs/a", "x/config", "x/README"];
  const { confirmations } = judged(paths.map((path) => ({ path, after: "x" })));
  expect(confirmations.map(({ code, path }) => [code, path])).toEqual(
    paths.slice(0, 4).map((path) => ["PATH_BARE_REPO", path]),
  );
});

test("PROT-09: a new HEAD alone needs a person, because the rest of a bare repository may be there already", () => {
  const { confirmations } = judged([{ path: "fixtures/repo/head", after: "ref: refs/heads/main\n" }]);
  expect(confirmations).toMatchObject([{ code: "PATH_BARE_REPO" }]);
  expect(judged([{ path: "HEAD", after: `${"a".repeat(40)}\n` }]).confirmations).toHaveLength(1);
});

test("PROT-09: folders named objects and refs are ordinary without a HEAD", () => {
  const writes = ["src/objects/a.ts", "src/refs/b.ts", "src/config"].map((path) => ({ path, after: "x" }));
  expect(judged(writes).confirmations).toEqual([]);
});

test.each<[string, readonly Write[], string, string]>([
  ["a file beside a file", [{ path: "Readme.md", after: "x" }], "Readme.md", "README.md"],
  ["a folder beside a folder", [{ path: "Src/x", after: "x" }], "Src/x", "src/x"],
  ["a folder deep in the tree", [{ path: "src/LIB/x", after: "x" }], "src/LIB/x", "src/lib/x"],
  ["a file beside a folder", [{ path: "SRC", after: "x" }], "SRC", "src"],
  [
    "two new files",
    [
      { path: "new/a.txt", after: "x" },
      { path: "new/A.txt", after: "x" },
    ],
    "new/A.txt",
    "new/a.txt",
  ],
  [
    "a file beside one of several that fold alike, of which another goes",
    [
      { path: "twin", before: "x" },
      { path: "TWIN", after: "x" },
    ],
    "TWIN",
    "Twin",
  ],
  [
    "a folder of which something stays",
    [
      { path: "src/a.ts", before: "x" },
      { path: "Src/a.ts", after: "x" },
    ],
    "Src/a.ts",
    "src/a.ts",
  ],
])(
  "PATH-54 a path that differs from another only in case is refused, whichever was there first: %s",
  (_what, writes, path, other) => {
    const { refused } = judged(writes, { deletes: "always-allow" }, { others: tree });
    expect(refused).toMatchObject([
      {
        code: "PATH_CASE_COLLISION",
        path,
        message: `"${path}" and "${other}" on the disk are one file where case does not count (macOS, Windows)`,
      },
    ]);
  },
);

const tree = ["README.md", "src/a.ts", "src/lib/b.ts", "Twin", "twin"];

test("renaming a file by case only, or a pair of case twins that was there before, is no new collision", () => {
  const rename: Write[] = [
    { path: "LICENSE", before: "x" },
    { path: "License", after: "x" },
    { path: "doc/a/b.md", before: "x" },
    { path: "doc/c.md", before: "x" },
    { path: "Doc/a/b.md", after: "x" },
    { path: "Doc/c.md", after: "x" },
  ];
  const { refused } = judged(
    [...rename, { path: "Twin", before: "x", after: "y" }],
    { deletes: "always-allow" },
    { others: tree },
  );
  expect(refused).toEqual([]);
});

test("a compose file whose container reaches into the machine is asked about, an ordinary one is not", () => {
  const after = (more: string) => `services:\n  web:\n    image: nginx\n${more}`;
  const { confirmations } = judged([
    { path: "docker-compose.yml", after: after("    privileged: true\n") },
    {
      path: "ops/compose.dev.yaml",
      before: after("    pid: host\n"),
      after: after("    pid: host # still\n"),
    },
    { path: "compose.yml", before: after("    privileged: true\n"), after: after("") },
    { path: "values.yml", after: after("    privileged: true\n") },
  ]);
  expect(confirmations.map(({ code, path }) => [code, path])).toEqual([
    ["PATH_SENSITIVE", "docker-compose.yml"],
    ["PATH_SENSITIVE", "ops/compose.dev.yaml"],
  ]);
});

test("an edit of a read-only file is warned of, and neither a new one nor one that can be written", () => {
  const modes: Readonly<Record<string, number>> = { "made.ts": 0o444, "none.ts": 0o000, "own.ts": 0o200 };
  const writes = [...Object.keys(modes), "new.ts"].map((path) => ({ path, before: "x", after: "y" }));
  const changes = writes.map(changeOf).map(({ pre, ...change }) => {
    const mode = modes[change.path];
    return pre && mode !== undefined ? { ...change, pre: { ...pre, mode } } : change;
  });
  const { refused, confirmations, warnings } = judgeChanges(changes, {
    contents: new Map([[hashOf("y"), encodeUtf8("y")]]),
    before: () => encodeUtf8("x"),
    names: () => [],
    isRepository: () => false,
    rules: { deletes: "ask" },
  });
  expect([refused, confirmations]).toEqual([[], []]);
  expect(warnings).toMatchObject([
    { code: "PATH_READ_ONLY", path: "made.ts", message: expect.stringContaining("mode 444") },
    { code: "PATH_READ_ONLY", path: "none.ts", message: expect.stringContaining("mode 000") },
  ]);
});

test("LINK-22: a change inside another repository needs a person", () => {
  const repositories = ["vendor/lib"];
  const { confirmations } = judged(
    [
      { path: "vendor/lib/src/x", after: "x" },
      { path: "vendor/library/x", after: "x" },
    ],
    {},
    { repositories },
  );
  expect(confirmations).toMatchObject([{ code: "PATH_NESTED_REPO", path: "vendor/lib/src/x" }]);
});

test("PROT-32: the last of very many changes is judged like the first", () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({ path: `src/f${at}`, after: "x" }));
  const { refused } = judged([...many, { path: ".git/config", after: "x" }]);
  expect(refused).toMatchObject([{ code: "PATH_PROTECTED" }]);
});

const manifest = {
  name: "x",
  description: "d",
  scripts: { test: "vitest" },
  dependencies: { zod: "^4.0.0" },
};

const manifests: readonly (readonly [what: string, after: unknown, asks: boolean, says?: string])[] = [
  [
    "PROT-23: postinstall",
    { ...manifest, scripts: { test: "vitest", postinstall: "node x.js" } },
    true,
    "scripts.postinstall is new",
  ],
  ["PROT-23: prepare", { ...manifest, scripts: { test: "vitest", prepare: "x" } }, true, "scripts.prepare"],
  [
    "PROT-23: another test script",
    { ...manifest, scripts: { test: "true" } },
    true,
    'scripts.test becomes "true"',
  ],
  ["a script taken away", { ...manifest, scripts: {} }, true, "scripts.test is removed"],
  ["a program", { ...manifest, bin: { x: "x.js" } }, true, "bin.x is new"],
  ["a program by its short form", { ...manifest, bin: "x.js" }, true, 'bin becomes "x.js"'],
  [
    "a dependency from git",
    { ...manifest, dependencies: { zod: "git+https://evil/zod" } },
    true,
    "dependencies.zod",
  ],
  [
    "a dependency from a repository's short name",
    { ...manifest, devDependencies: { a: "evil/a" } },
    true,
    "devDependencies.a",
  ],
  [
    "a dependency from a URL",
    { ...manifest, optionalDependencies: { a: "https://evil/a.tgz" } },
    true,
    "optionalDependencies.a",
  ],
  [
    "a dependency from a file",
    { ...manifest, dependencies: { ...manifest.dependencies, a: "file:../a" } },
    true,
    "file:../a",
  ],
  ["a dependency under another name", { ...manifest, dependencies: { zod: "npm:evil@1" } }, true, "npm:evil"],
  ["overrides", { ...manifest, overrides: { zod: "3" } }, true, "overrides.zod"],
  ["resolutions", { ...manifest, resolutions: { zod: "3" } }, true, "resolutions.zod"],
  ["a package manager", { ...manifest, packageManager: "pnpm@9" }, true, "packageManager"],
  ["hooks", { ...manifest, "simple-git-hooks": { "pre-commit": "x" } }, true, "simple-git-hooks"],
  ["PROT-24: description only", { ...manifest, description: "e" }, false],
  ["a version from the registry", { ...manifest, dependencies: { zod: "^4.1.0" } }, false],
  ["a package of the workspace", { ...manifest, dependencies: { zod: "^4.0.0", a: "workspace:*" } }, false],
  ["keys in another order", Object.fromEntries(Object.entries(manifest).reverse()), false],
];

test.each(manifests)("package.json, %s", (_, after, asks, says) => {
  const write = {
    path: "packages/a/package.json",
    before: JSON.stringify(manifest),
    after: JSON.stringify(after, null, 2),
  };
  const { confirmations } = judged([write]);
  expect(confirmations.map(({ code }) => code)).toEqual(asks ? ["CONTENT_SENSITIVE"] : []);
  expect(confirmations[0]?.message ?? "").toContain(says ?? "");
});

test("a new package.json with scripts needs a person too, and so does one that cannot be read", () => {
  const codes = (after: string) =>
    judged([{ path: "package.json", after }]).confirmations.map(({ code }) => code);
  expect(codes(JSON.stringify(manifest))).toEqual(["CONTENT_SENSITIVE"]);
  expect(codes("{ // comment\n}")).toEqual(["CONTENT_SENSITIVE"]);
  expect(codes(`${'{"scripts":'.repeat(100_000)}1${"}".repeat(100_000)}`)).toEqual(["CONTENT_SENSITIVE"]);
  expect(codes('\ufeff{"name":"x"}')).toEqual([]);
});

test("a package that is asked for newly is warned about", () => {
  const after = JSON.stringify({ ...manifest, dependencies: { zod: "^4.0.0", lodahs: "^4" } });
  const { warnings, confirmations } = judged([
    { path: "package.json", before: JSON.stringify(manifest), after },
  ]);
  expect(confirmations).toEqual([]);
  expect(warnings).toMatchObject([{ code: "CONTENT_DEPENDENCY" }]);
  expect(warnings[0]?.message).toContain("lodahs");
});

const lock = (packages: object, version = "1") =>
  JSON.stringify({ name: "x", version, packages: { "": { version }, ...packages } });
const zod = { version: "4.0.0", resolved: "https://registry.example/zod.tgz", integrity: "sha512-a" };
const one = lock({ "node_modules/zod": zod });

test.each([
  [
    "PROT-31: another source",
    "package-lock.json",
    one,
    lock({ "node_modules/zod": { ...zod, resolved: "https://evil" } }),
    true,
  ],
  [
    "PROT-31: another hash",
    "package-lock.json",
    one,
    lock({ "node_modules/zod": { ...zod, integrity: "sha512-b" } }),
    true,
  ],
  ["another place for the same source", "package-lock.json", one, lock({ "node_modules/other": zod }), true],
  [
    "one package more",
    "a/package-lock.json",
    one,
    lock({ "node_modules/zod": zod, "node_modules/a": zod }),
    true,
  ],
  ["the project's own version", "package-lock.json", one, lock({ "node_modules/zod": zod }, "2"), false],
  [
    "an older format",
    "npm-shrinkwrap.json",
    '{"dependencies":{"a":{"dependencies":{"b":{"integrity":"x"}}}}}',
    '{"dependencies":{"a":{"dependencies":{"b":{"integrity":"y"}}}}}',
    true,
  ],
  ["what cannot be read", "package-lock.json", one, "<<<<<<<", true],
  ["another kind of lock file", "yarn.lock", "a", "b", true],
  ["a third kind", "Cargo.lock", "a", "b", true],
])("lock file, %s", (_, path, before, after, asks) => {
  const { confirmations } = judged([{ path, before, after }]);
  expect(confirmations.map(({ code }) => code)).toEqual(asks ? ["CONTENT_SENSITIVE"] : []);
});

const key = `sk-${"aB3".repeat(16)}`;

test.each([
  ["CONT-10: sk-", `const k = "${key}";`, true],
  ["CONT-10: sk-ant-", `sk-ant-api03-${"a1_".repeat(20)}`, true],
  ["CONT-10: AKIA", "aws = AKIAIOSFODNN7EXAMPLE", true],
  ["CONT-10: PEM", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", true],
  ["PEM without kind", "-----BEGIN PRIVATE KEY-----\nMIIE", true],
  ["OpenSSH", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl", true],
  ["GitHub", `ghp_${"a1".repeat(18)}`, true],
  ["Slack", "xoxb-123456789012-abcdefABCDEF", true],
  ["Google", `AIza${"a".repeat(35)}`, true],
  ["npm", `//registry.example/:_authToken=${"a".repeat(36)}`, true],
  ["npm from the environment", `//registry.example/:_authToken=${"$"}{NPM_TOKEN}`, false],
  ["a public key", "-----BEGIN PUBLIC KEY-----\nMIIE", false],
  ["a class name", ".sk-loading-indicator-large-primary {}", false],
  ["a word that ends alike", `task-${"aB3".repeat(16)}`, false],
  ["a placeholder", "OPENAI_API_KEY=sk-...", false],
  ["a hash", "a".repeat(64), false],
])("secret in content, %s", (_, after, asks) => {
  const { confirmations } = judged([{ path: "src/a.ts", after }]);
  expect(confirmations.map(({ code }) => code)).toEqual(asks ? ["CONTENT_SECRET"] : []);
});

test("a secret that was in the file before is not asked about again, and no secret is ever shown", () => {
  const other = `sk-${"zY9".repeat(16)}`;
  expect(judged([{ path: "a", before: `k=${key}`, after: `\nk=${key}` }]).confirmations).toEqual([]);
  const { confirmations } = judged([{ path: "a", before: `k=${key}`, after: `k=${key}\nk=${other}` }]);
  expect(confirmations[0]?.message).toContain("line 2");
  expect(JSON.stringify(confirmations)).not.toContain("zY9");
});

test("CONT-03: a NUL byte needs a person, unless the file was binary before", () => {
  expect(judged([{ path: "a.ts", after: "x\0" }]).confirmations).toMatchObject([
    { code: "CONTENT_NUL", sha256: hashOf("x\0") },
  ]);
  expect(judged([{ path: "a.bin", before: "\0", after: "x\0" }]).confirmations).toEqual([]);
});

const claims: readonly (readonly [
  what: string,
  rules: Partial<PolicyRules>,
  path: string,
  violates: boolean,
])[] = [
  ["PROT-33: outside the claim", { writes: ["src/**"] }, "docs/a.md", true],
  ["inside the claim", { writes: ["src/**", "README.md"] }, "README.md", false],
  ["no claim at all", {}, "docs/a.md", false],
  ["a claim to nothing", { writes: [] }, "docs/a.md", true],
  ["in other case than claimed", { writes: ["src/**"] }, "SRC/a", true],
  ["OPS-18: claimed by another", { writesOfOthers: ["src/b/**"] }, "src/b/c.ts", true],
  ["claimed by another, in other case", { writesOfOthers: ["src/b/**"] }, "src/B/c.ts", true],
  ["claimed by both", { writes: ["src/**"], writesOfOthers: ["src/b/**"] }, "src/b/c.ts", true],
];

test.each(claims)("claims: %s", (_, rules, path, violates) => {
  for (const write of [
    { path, after: "x" },
    { path, before: "x" },
  ]) {
    const { refused } = judged([write], { deletes: "always-allow", ...rules });
    expect(refused.map(({ code }) => code)).toEqual(violates ? ["CLAIM_VIOLATION"] : []);
  }
});

const deletes: readonly (readonly [rules: PolicyRules, refused: string[], asked: string[]])[] = [
  [{ deletes: "ask" }, [], ["CONFIRM_DELETE"]],
  [{ deletes: "ask", declaredDeletes: ["old/*"] }, [], ["CONFIRM_DELETE"]],
  [{ deletes: "declared", declaredDeletes: ["old/*"] }, [], []],
  [{ deletes: "declared", declaredDeletes: ["new/*"] }, [], ["CONFIRM_DELETE"]],
  [{ deletes: "declared" }, [], ["CONFIRM_DELETE"]],
  [{ deletes: "always-allow" }, [], []],
  [{ deletes: "never", declaredDeletes: ["old/*"] }, ["DELETE_NEVER"], []],
];

test.each(deletes)("deleting under %j", (rules, refusedCodes, askedCodes) => {
  const { refused, confirmations } = judged([{ path: "old/a.ts", before: "x" }], rules);
  expect(refused.map(({ code }) => code)).toEqual(refusedCodes);
  expect(confirmations.map(({ code, sha256 }) => [code, sha256])).toEqual(
    askedCodes.map((code) => [code, hashOf("x")]),
  );
});

const long = Array.from({ length: 40 }, (_, at) => `expect(${at}).toBe(${at});`).join("\n");
const rest = (lines: number) => long.split("\n").slice(0, lines).join("\n");
const emptied: readonly (readonly [what: string, writes: Write[], asked: string[]])[] = [
  ["a test file becomes empty", [{ path: "test/a.test.ts", before: "a", after: "" }], ["TEST_EMPTIED"]],
  ["blank is empty", [{ path: "a_test.go", before: "a", after: "\n \n" }], ["TEST_EMPTIED"]],
  ["another file does", [{ path: "src/a.ts", before: "a", after: "" }], ["FILE_EMPTIED"]],
  ["little is left", [{ path: "src/a.ts", before: long, after: rest(4) }], ["FILE_EMPTIED"]],
  ["little else is there", [{ path: "tests/a.py", before: long, after: "# gone" }], ["TEST_EMPTIED"]],
  ["more is left", [{ path: "test/a.test.ts", before: long, after: rest(5) }], []],
  ["it is rewritten", [{ path: "test/a.test.ts", before: long, after: long.replaceAll("x", "y") }], []],
  ["a short one is rewritten", [{ path: "a.test.ts", before: rest(19), after: "one();" }], []],
  ["it was empty", [{ path: "a.test.ts", before: "\n\n", after: "" }], []],
  [
    "its lines are in a new file",
    [
      { path: "a.test.ts", before: long, after: 'import "./b.test.ts";' },
      { path: "b.test.ts", after: long },
    ],
    [],
  ],
  [
    "most of its lines are in two others, indented",
    [
      { path: "a.ts", before: long, after: "" },
      { path: "b.ts", before: "b", after: `b\n  ${rest(15).replaceAll("\n", "\n  ")}` },
      { path: "c.ts", after: long.split("\n").slice(30).join("\n") },
    ],
    [],
  ],
  [
    "its lines were in another all along",
    [
      { path: "a.test.ts", before: long, after: "" },
      { path: "b.test.ts", before: long, after: `${long}\nmore` },
    ],
    ["TEST_EMPTIED"],
  ],
];

test.each(emptied)("a file that is emptied counts like a deleted one: %s", (_, writes, askedCodes) => {
  const codes = (rules: Partial<PolicyRules>) => {
    const { refused, confirmations } = judged(writes, rules);
    return [...refused, ...confirmations].map(({ code }) => code);
  };
  expect(codes({ deletes: "declared" })).toEqual(askedCodes);
  expect(codes({ deletes: "declared", declaredDeletes: ["**"] })).toEqual([]);
  expect(codes({ deletes: "always-allow" })).toEqual([]);
  expect(codes({ deletes: "never" })).toEqual(askedCodes.map(() => "DELETE_NEVER"));
});

test("a sensitive file is asked about also when deletes are always allowed", () => {
  const { confirmations } = judged([{ path: ".github/workflows/ci.yml", before: "x" }], {
    deletes: "always-allow",
  });
  expect(confirmations.map(({ code }) => code)).toEqual(["PATH_SENSITIVE"]);
});

test("if sensitive changes are never confirmed, they are refused without asking a person", () => {
  const writes = [
    { path: ".github/workflows/ci.yml", after: "x" },
    { path: "package.json", after: '{"scripts":{"test":"x"}}' },
    { path: "gone.txt", before: "x" },
  ];
  const codes = (sensitive: "ask" | "never") => {
    const { refused, confirmations } = judged(writes, { sensitive });
    return [refused, confirmations].map((found) => found.map(({ code }) => code));
  };
  const [, asked = []] = codes("ask");
  expect(asked).toHaveLength(3);
  // Deletes have a setting of their own.
  expect(codes("never")).toEqual([asked.filter((code) => code !== "CONFIRM_DELETE"), ["CONFIRM_DELETE"]]);
});

test("a folder is asked about once, however many changes lie in it", () => {
  const asked: string[] = [];
  const changes = Array.from({ length: 100 }, (_, at) => changeOf({ path: `a/b/f${at}`, after: "x" }));
  judgeChanges(changes, {
    contents: new Map([[hashOf("x"), encodeUtf8("x")]]),
    before: () => undefined,
    names: () => [],
    isRepository: (folder) => asked.push(folder) < 0,
    rules: { deletes: "ask" },
  });
  expect(asked).toEqual(["a", "a/b"]);
});

interface Beside {
  readonly repositories?: readonly string[];
  /** Files of the tree that the writes leave unchanged. */
  readonly others?: readonly string[];
}

function judged(
  writes: readonly Write[],
  rules: Partial<PolicyRules> = {},
  { repositories = [], others = [] }: Beside = {},
): Judgement {
  const before = new Map(writes.map((write) => [write.path, write.before]));
  const contents = new Map(writes.map(({ after = "" }) => [hashOf(after), encodeUtf8(after)]));
  return judgeChanges(writes.map(changeOf), {
    contents,
    before: (path) => {
      const text = before.get(path);
      return text === undefined ? undefined : encodeUtf8(text);
    },
    names: folderNames([
      ...writes.flatMap(({ path, before }) => (before === undefined ? [] : [path])),
      ...others,
    ]),
    isRepository: (folder) => repositories.includes(folder),
    rules: { deletes: "ask", ...rules },
  });
}

function changeOf({ path, before, after }: Write): Change {
  const image = (text: string) => ({ sha256: hashOf(text), size: encodeUtf8(text).length, mode: 0o644 });
  return {
    path: path as TreePath,
    ...(before === undefined ? {} : { pre: image(before) }),
    ...(after === undefined ? {} : { post: image(after) }),
  };
}

function hashOf(text: string): Sha256 {
  return createHash("sha256").update(text).digest("hex") as Sha256;
}
