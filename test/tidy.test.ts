/** Rules about the source. Each is shown what it forbids, and must see it, before it is held against the tree. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasNameOfMainExport, hasNoDrawers, isShort, opensWithComment } from "./tidy/files.ts";
import { followsLayers, type Layers, onlyMainComposes, onlyWorldReachesOutside } from "./tidy/imports.ts";
import { mapMatchesFolders } from "./tidy/map.ts";
import {
  dependenciesAreExplained,
  lockNamesNoAddress,
  packagesInsideAreKnown,
  versionsAreExact,
} from "./tidy/package.ts";
import { isPure } from "./tidy/purity.ts";
import type { Allowance, Rule, TextFile } from "./tidy/rule.ts";
import { trapsHaveTests } from "./tidy/traps.ts";
import { house, tree } from "./tidy/tree.ts";
import { unneededAllowances } from "./tidy/unneeded-allowances.ts";
import { hasNoConsole, hasNoOpenEnds, namesNoMachine, skipsWithReason } from "./tidy/words.ts";

const layers: Layers = JSON.parse(readFileSync(`${house}layers.json`, "utf8"));

const reachesOutside: Allowance[] = [
  {
    path: "src/cli/input.ts",
    because: "reads the reply from wherever the user says, a pipe too: outside any root",
  },
  {
    path: "src/cli/demo-scene.ts",
    because: "makes a throw-away folder, and starts and kills the real program there",
  },
  { path: "src/cli/demo.ts", because: "makes a repository for the run that it shows" },
  { path: "src/cli/demo-apply.ts", because: "counts what a killed program left in its throw-away folder" },
  { path: "src/cli/person.ts", because: "asks through the terminal's device, since stdin may be the reply" },
];
const composes: Allowance[] = [
  {
    path: "src/index.ts",
    because: "the library's users compose for themselves, so it hands them the adapters",
  },
  { path: "src/compose-runs.ts", because: "main's other half, loaded only by commands about runs" },
  { path: "src/compose-documents.ts", because: "the same, for commands about tasks and documents" },
  { path: "src/compose-mcp.ts", because: "the same, for the MCP server" },
];
const namedOtherwise: Allowance[] = [
  { path: "src/world/hash.ts", because: "there is one hash, and sha256 says which" },
  {
    path: "src/world/descriptor.ts",
    because: "what a descriptor lacks: four calls, none of them the main one",
  },
  { path: "src/world/flock.ts", because: "named after the system call, exports what it is for" },
  { path: "src/reply/schema.ts", because: "the shapes of a reply, each under its own name" },
  { path: "src/change/limits.ts", because: "the limits, each under its own name" },
  { path: "src/change/line-ends.ts", because: "the one rule about them, as a question and an answer" },
  { path: "src/change/policy.ts", because: "a policy judges" },
  { path: "src/std/unicode.ts", because: "classes of characters, each under its own name" },
  { path: "src/runtime/integrate.ts", because: "the acts on the branch, each by its own name" },
  { path: "src/cli/approval.ts", because: "a person's yes, which is asked for and remembered" },
  { path: "src/runtime/agents-decide-nothing.ts", because: "the rule, which asks one question" },
  { path: "src/model-server/any-json.ts", because: "ways to read it, none of them the main one" },
  { path: "src/cli/checks.ts", because: "a doctor's checks examine a patient" },
];
const namesPlaces: Allowance[] = [];

interface Row {
  readonly rule: Rule;
  readonly allowed?: readonly Allowance[];
  /** Each is one file, or several where the rule compares them; the rule must find something in each. */
  readonly bad: readonly Files[];
  /** Close to what is forbidden, and fine. */
  readonly good?: readonly Files[];
}

type Files = Readonly<Record<string, string>>;

const lines = (count: number) => "\n".repeat(count);

const rules: Record<string, Row> = {
  "folders import by the table": {
    rule: (files) => followsLayers(files, layers),
    bad: [
      { "src/std/heap.ts": 'import { reply } from "../reply/reply.ts";' },
      { "src/reply/reply.ts": 'import type { Change } from "../change/change.ts";' },
      { "src/change/path.ts": 'export { list } from "../view/list.ts";' },
      { "src/world/files.ts": 'const list = () => import("../changeset/changesets.ts");' },
      { "src/durable/log.ts": 'type Door = import("../cli/apply.ts").Door;' },
      { "src/changeset/undo.ts": 'import "../view/list.ts";' },
      { "src/cli/apply.ts": 'import { main } from "../main.ts";' },
      { "src/cli/apply.ts": 'import { main } from "../index.ts";' },
      { "src/attic/box.ts": "" },
    ],
    good: [
      {
        "src/cli/apply.ts":
          'import { list } from "../view/list.ts"; import { a } from "./a.ts"; import z from "zod";',
      },
      { "src/main.ts": 'import { apply } from "./cli/apply.ts";' },
      { "src/std/heap.test.ts": 'import { reply } from "../reply/reply.ts";' },
    ],
  },
  "the pure folders know no Node, clock, chance, process or promise": {
    rule: isPure,
    bad: [
      'import { join } from "node:path";',
      "const at = Date.now();",
      "const at = new Date();",
      "const one = Math.random();",
      "setTimeout(() => {}, 1);",
      "const home = process.env.HOME;",
      "const at = performance.now();",
      "let later: Promise<void>;",
      "async function later() {}",
      "const later = async () => {};",
      "for await (const one of many) {}",
      "const names = { process };",
    ].flatMap((text) =>
      ["std", "plan", "reply", "change", "kernel", "view"].map((folder) => ({
        [`src/${folder}/a.ts`]: text,
      })),
    ),
    good: [
      { "src/std/a.ts": "// a Promise, Date.now() or process\nconst text = 'async process';" },
      { "src/std/a.ts": "step.process(); const row = { process: 1 }; new Date(row.process);" },
      { "src/world/a.ts": "const at = Date.now();" },
      { "src/std/a.test.ts": "const at = Date.now();" },
    ],
  },
  "only src/world reaches outside the process": {
    rule: onlyWorldReachesOutside,
    allowed: reachesOutside,
    bad: [
      { "src/cli/apply.ts": 'import { readFileSync } from "node:fs";' },
      { "src/changeset/verify.ts": 'import { spawn } from "node:child_process";' },
      { "src/main.ts": 'const fs = await import("node:fs/promises");' },
    ],
    good: [
      { "src/world/node-files.ts": 'import { readFileSync } from "node:fs";' },
      { "src/cli/apply.ts": 'import { parseArgs } from "node:util";' },
    ],
  },
  "only src/main.ts composes adapters": {
    rule: onlyMainComposes,
    allowed: composes,
    bad: [
      {
        "src/world/node-files.ts": 'import { readFileSync } from "node:fs";',
        "src/cli/apply.ts": 'import { nodeFiles } from "../world/node-files.ts";',
      },
      {
        "src/world/descriptor.ts": 'import { readFileSync } from "node:fs";',
        "src/world/node-files.ts": 'import { descriptor } from "./descriptor.ts";',
        "src/durable/log.ts": 'import { nodeFiles } from "../world/node-files.ts";',
      },
    ],
    good: [
      {
        "src/world/node-files.ts": 'import { readFileSync } from "node:fs";',
        "src/world/files.ts": "export interface Files {}",
        "src/main.ts": 'import { nodeFiles } from "./world/node-files.ts";',
        "src/cli/apply.ts": 'import type { Files } from "../world/files.ts"; import "../world/files.ts";',
        "src/cli/undo.ts": 'import type { NodeFiles } from "../world/node-files.ts";',
      },
    ],
  },
  "no file is a drawer": {
    rule: hasNoDrawers,
    bad: [
      "src/std/utils.ts",
      "src/helpers/a.ts",
      "test/common.ts",
      "src/reply/types.ts",
      "src/reply/index.ts",
    ].map((path) => ({ [path]: "" })),
    good: [{ "src/index.ts": "", "docs/types.md": "", "src/std/common-prefix.ts": "" }],
  },
  "every file opens with a comment": {
    rule: opensWithComment,
    bad: [
      { "src/std/heap.ts": "export class Heap {}\n" },
      { "scripts/a.mjs": "// a\nexport const a = 1;\n" },
    ],
    good: [
      { "src/std/heap.ts": "/** The smallest first. */\nexport class Heap {}\n" },
      {
        "src/std/heap.ts":
          'import { a } from "./a.ts";\n\n/** The smallest first. */\nexport class Heap {}\n',
      },
      { "bin/cox.js": "#!/usr/bin/env node\n/** The program. */\n" },
    ],
  },
  "no source has over 400 lines, and the median is below 200": {
    rule: isShort,
    bad: [
      { "src/std/a.ts": lines(401), "src/std/b.ts": "", "src/std/c.ts": "" },
      { "src/std/a.ts": lines(200), "src/std/b.ts": lines(200), "src/std/c.ts": "" },
    ],
    good: [{ "src/std/a.ts": lines(400), "src/std/b.ts": lines(199), "src/std/c.ts": "" }],
  },
  "a file has the name of its main export": {
    rule: hasNameOfMainExport,
    allowed: namedOtherwise,
    bad: [
      { "src/std/tree-path.ts": "export const name = 1;" },
      { "src/std/tree-path.ts": "const treePath = 1;" },
    ],
    good: [
      { "src/std/tree-path.ts": "export type TreePath = string;" },
      { "src/std/tree-path.ts": "function parseTreePath() {} export { parseTreePath };" },
      {
        "src/std/tree-paths.ts": "export const emptyPath = 1;",
        "src/std/replies.ts": "export const goodReply = 1;",
      },
    ],
  },
  "only src/cli prints": {
    rule: hasNoConsole,
    bad: [{ "src/world/a.ts": 'console.error("a");' }, { "src/main.ts": "x.catch((e) => console.log(e));" }],
    good: [{ "src/cli/a.ts": 'console.error("a");', "src/std/a.ts": "// console.log\n" }],
  },
  "nothing is put off": {
    rule: hasNoOpenEnds,
    bad: [
      { "src/std/a.ts": "const a = 1; // TODO: more\n" },
      { "test/a.test.ts": "/**\n * FIXME\n */\n" },
      { "src/std/a.ts": "f(/* XXX */);" },
    ],
    good: [
      {
        "src/std/a.ts":
          'const placeholder = /TODO/; const word = "// TODO"; const text = `// FIXME $' + "{word}`;",
      },
    ],
  },
  "a skipped test says why": {
    rule: skipsWithReason,
    bad: [
      'test.skip("a", () => {});',
      'test.only("a", () => {});',
      'test.skipIf(true)("a", () => {});',
      'describe.only("a", () => {});',
      'test.for([1]).only("a", () => {});',
      'test("a", (context) => context.skip());',
      'test("a", ({ skip }) => skip(true));',
      'test("a", ({ skip }) => skip(""));',
    ].map((text) => ({ "src/std/a.test.ts": text })),
    good: [
      { "src/std/a.test.ts": 'test("a", (context) => context.skip("needs root"));' },
      { "src/std/a.test.ts": 'test("a", ({ skip }) => skip(isRoot, `root sees ' + "$" + "{everything}`));" },
      { "src/std/a.test.ts": "list.only(); reader.skipTo(3);" },
      { "src/std/a.ts": "reader.skip();" },
    ],
  },
  "no file names a machine or a registry": {
    rule: namesNoMachine,
    allowed: namesPlaces,
    bad: ["home/meg/x", "Users/ada", "root/x", "work/x"]
      .map((place) => `see /${place}`)
      .concat(["registry", "npmjs", "org"].join("."), ["npm", "artifactory", "example", "com"].join("."))
      .map((text) => ({ "docs/a.md": text })),
    good: [
      {
        "docs/a.md":
          "/home/me/api, a repository in ~/work/api, the framework/router, https://example.com/home/index.html",
      },
    ],
  },
  "the lockfile says nothing of where packages came from": {
    rule: lockNamesNoAddress,
    bad: [{ "package-lock.json": '{ "packages": { "node_modules/a": { "resolved": "https://a" } } }' }],
  },
  "versions are exact": {
    rule: versionsAreExact,
    bad: [
      { "package.json": '{ "dependencies": { "a": "^1.0.0" } }' },
      { "package.json": '{ "devDependencies": { "a": "1.x" } }' },
      { "package.json": '{ "overrides": { "a": "latest" } }' },
    ],
    good: [{ "package.json": '{ "dependencies": { "a": "1.0.0-beta.1" } }' }],
  },
  "every dependency is explained": {
    rule: dependenciesAreExplained,
    bad: [
      { "package.json": '{ "dependencies": { "a": "1.0.0" } }' },
      {
        "package.json": '{ "dependencies": { "a": "1.0.0" } }',
        "docs/dependencies.md": "| `a` | saves | | MIT |",
      },
      { "package.json": "{}", "docs/dependencies.md": "| `a` | saves | weighed | MIT |" },
    ],
    good: [
      {
        "package.json": '{ "dependencies": { "a": "1.0.0" } }',
        "docs/dependencies.md": "| `a` | saves | weighed | MIT |",
      },
    ],
  },
  "packages inside the program are known": {
    rule: packagesInsideAreKnown,
    bad: [
      { "src/cli/a.ts": 'import { a } from "@b/a/part";', "docs/dependencies.md": "" },
      {
        "src/cli/a.ts": 'import type { a } from "a";',
        "docs/dependencies.md": "## Inside the program\n\n## At work\n\n| `a` | saves | weighed | MIT |",
      },
      {
        "src/cli/a.ts": "",
        "docs/dependencies.md": "## Inside the program\n\n| `a` | saves | weighed | MIT |",
      },
      { "package.json": '{ "dependencies": { "a": "1.0.0" } }' },
    ],
    good: [
      {
        "src/cli/a.ts": 'import { a } from "@b/a/part";\nimport "node:fs";\nimport "./b.ts";',
        "src/cli/a.test.ts": 'import { test } from "vitest";',
        "docs/dependencies.md": "## Inside the program\n\n| `@b/a` | saves | weighed | MIT |\n\n## At work\n",
      },
    ],
  },
  "every trap of the page has its tests": {
    rule: trapsHaveTests,
    bad: [
      trap("it lies", { "src/driver/a.test.ts": 'test("a lie is seen", () => {});' }),
      trap("it lies | [a lie is seen](../src/driver/a.test.ts)"),
      trap("it lies | [a lie is seen](../src/driver/a.test.ts)", {
        "src/driver/a.test.ts": '// test("a lie is seen", () => {});\nsay("a lie is seen");',
      }),
      trap("it lies | [a lie is seen](../src/driver/a.test.ts); [so is …](../src/driver/a.test.ts)", {
        "src/driver/a.test.ts": 'test("a lie is seen", () => {});',
      }),
    ],
    good: [
      trap("it lies | [a lie is seen](../src/driver/a.test.ts); [so is …, too](../src/driver/a.test.ts)", {
        "src/driver/a.test.ts":
          'test("a lie is seen", () => {}); test.each([1])("so is %i, too", { timeout: 1 }, async () => {});',
      }),
      trap("it lies | [… is seen](../src/driver/a.test.ts)", {
        "src/driver/a.test.ts": `test(\`\${what} is seen\`, () => {});`,
      }),
    ],
  },
  "ARCHITECTURE.md is a map of the folders there are": {
    rule: mapMatchesFolders,
    bad: [
      { "ARCHITECTURE.md": "src/std/", "src/std/a.ts": "", "src/view/a.ts": "" },
      { "ARCHITECTURE.md": "src/std/ and src/kernel/", "src/std/a.ts": "" },
      { "ARCHITECTURE.md": "src/\n├── std/\n└── kernel/  decides\n", "src/std/a.ts": "" },
    ],
    good: [
      { "ARCHITECTURE.md": "src/\n├── std/\n└── main.ts", "src/std/a.ts": "", "src/main.ts": "" },
      { "src/std/a.ts": "" },
    ],
  },
};

const files = tree();

test("an allowance that a rule no longer needs is seen", () => {
  const printing = asFiles({ "src/world/a.ts": "console.log(1);", "src/cli/a.ts": "" });
  expect(
    unneededAllowances(hasNoConsole, printing, [{ path: "src/cli/a.ts", because: "it printed" }]),
  ).not.toEqual([]);
  expect(
    unneededAllowances(hasNoConsole, printing, [{ path: "src/world/a.ts", because: "it prints" }]),
  ).toEqual([]);
});

test("the tree is seen", () => {
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["package.json", "src/std/assert.ts"]),
  );
});

for (const [claim, { rule, allowed = [], bad, good = [] }] of Object.entries(rules)) {
  test(`${claim}: the rule bites`, () => {
    for (const example of bad) expect.soft(rule(asFiles(example)), JSON.stringify(example)).not.toEqual([]);
    for (const example of good) expect.soft(rule(asFiles(example)), JSON.stringify(example)).toEqual([]);
  });

  test(claim, () => {
    expect([...rule(files, allowed), ...unneededAllowances(rule, files, allowed)]).toEqual([]);
  });
}

function asFiles(example: Files): TextFile[] {
  return Object.entries(example).map(([path, text]) => ({ path, text }));
}

/** The page of traps with one row, and the files that it names. */
function trap(row: string, others: Files = {}): Files {
  return { "docs/traps.md": `| what it does | what holds it |\n| --- | --- |\n| ${row} |\n`, ...others };
}
