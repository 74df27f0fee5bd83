/** Rules about the source. Each is shown what it forbids, and must see it, before it is held against the tree. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { onlyKeyboardReadsAnswers } from "./tidy/answers.ts";
import { claimsOnlyMetAims } from "./tidy/benchmark-claims.ts";
import { idsAreNotCast } from "./tidy/casts.ts";
import { commandsAreTried } from "./tidy/commands.ts";
import {
  functionsAreShort,
  hasNameOfMainExport,
  hasNoDrawers,
  isShort,
  opensWithComment,
} from "./tidy/files.ts";
import {
  followsLayers,
  type Layers,
  onlyMainComposes,
  onlyOneFileStartsPrograms,
  onlyWorldReachesOutside,
} from "./tidy/imports.ts";
import { mapMatchesFolders } from "./tidy/map.ts";
import {
  folderNamesAreKnown,
  foldersHaveRooms,
  namesHaveNoRetiredWords,
  namesMeanOneThing,
  typesAreNouns,
  wordsAreExplainedOnce,
} from "./tidy/names.ts";
import { offersOnlyWhatWorks } from "./tidy/offers.ts";
import {
  dependenciesAreExplained,
  lockNamesNoAddress,
  packagesInsideAreKnown,
  versionsAreExact,
} from "./tidy/package.ts";
import { isPure } from "./tidy/purity.ts";
import type { Allowance, Rule, TextFile } from "./tidy/rule.ts";
import { sizesAreListed } from "./tidy/sizes.ts";
import { trapsHaveTests } from "./tidy/traps.ts";
import { house, tree } from "./tidy/tree.ts";
import { unneededAllowances } from "./tidy/unneeded-allowances.ts";
import {
  hasNoConsole,
  hasNoOpenEnds,
  namesNoMachine,
  printsJsonSafely,
  skipsWithReason,
  takesTemporaryPlacesOfItsOwn,
} from "./tidy/words.ts";

const layers: Layers = JSON.parse(readFileSync(`${house}layers.json`, "utf8"));

const reachesOutside: Allowance[] = [
  {
    path: "src/cli/reply/input.ts",
    because: "reads the reply from wherever the user says, a pipe too: outside any root",
  },
  {
    path: "src/cli/demo/demo-scene.ts",
    because: "makes a throw-away folder, and starts and kills the real program there",
  },
  { path: "src/cli/demo/demo.ts", because: "makes a repository for the run that it shows" },
  {
    path: "src/cli/demo/demo-apply.ts",
    because: "counts what a killed program left in its throw-away folder",
  },
];
const readsStdin: Allowance[] = [
  { path: "src/main.ts", because: "hands it to the commands" },
  { path: "src/cli/command-context.ts", because: "hands it to the commands" },
  { path: "src/cli/reply/input.ts", because: "reads a whole document, to its end" },
  { path: "src/cli/reply/apply.ts", because: "the reply, a document" },
  { path: "src/cli/begin/read-plan.ts", because: "the plan, a document" },
  { path: "src/cli/documents/task.ts", because: "a task's text, a document" },
  { path: "src/cli/servers/model-server.ts", because: "the script, a document" },
  { path: "src/cli/servers/mcp-tokens.ts", because: "the token, a document" },
  { path: "src/cli/documents/hook.ts", because: "what a client says to its hook, a document" },
  { path: "src/cli/servers/mcp.ts", because: "a client's messages" },
  { path: "src/cli/servers/turn-server.ts", because: "a client's messages" },
];
const startsPrograms: Allowance[] = [
  { path: "src/cli/demo/demo-scene.ts", because: "starts this very program again, by its whole path" },
];
const composes: Allowance[] = [
  {
    path: "src/index.ts",
    because: "the library's users compose for themselves, so it hands them the adapters",
  },
  { path: "src/compose-runs.ts", because: "main's other half, loaded only by commands about runs" },
  { path: "src/compose-documents.ts", because: "the same, for commands about tasks and documents" },
  { path: "src/compose-mcp.ts", because: "the same, for the MCP server" },
  { path: "src/compose-turn-server.ts", because: "the same, for the MCP server of one turn" },
];
const isTable: Allowance[] = [
  { path: "src/kernel/admit.ts", because: "one line for each command: which rule judges it" },
  { path: "src/view/log/log-words.ts", because: "one row for each event" },
  { path: "src/view/log/turn-log-words.ts", because: "one row for each event of a turn" },
  { path: "src/view/log/decision-log-words.ts", because: "one row for each event of a decision" },
  { path: "src/view/text/refusals.ts", because: "one row for each refusal" },
  { path: "src/world/files/descriptor-files.ts", because: "one row for each call of the port" },
];

const brandsIds: Allowance[] = [
  { path: "src/std/object-id.ts", because: "the one place that checks and brands them" },
  { path: "src/world/files/byte-path.ts", because: "the same, for paths" },
  { path: "test/kernel/some-object-ids.ts", because: "ids that no git made, for tests" },
];
const namedOtherwise: Allowance[] = [
  { path: "src/world/files/hash.ts", because: "there is one hash, and sha256 says which" },
  {
    path: "src/world/files/descriptor.ts",
    because: "what a descriptor lacks: four calls, none of them the main one",
  },
  { path: "src/reply/schema.ts", because: "the shapes of a reply, each under its own name" },
  { path: "src/change/limits.ts", because: "the limits, each under its own name" },
  { path: "src/change/edit/line-ends.ts", because: "the one rule about them, as a question and an answer" },
  { path: "src/std/unicode.ts", because: "classes of characters, each under its own name" },
  { path: "src/runtime/acts/integrate.ts", because: "the acts on the branch, each by its own name" },
  { path: "src/model-server/any-json.ts", because: "ways to read it, none of them the main one" },
  { path: "src/cli/setup/checks.ts", because: "a doctor's checks examine a patient" },
];
const namesPlaces: Allowance[] = [];
const namesTemporaryPlaces: Allowance[] = [
  {
    path: "src/world/files/nameless-file.ts",
    because: "a name of chance, made only where nothing is, and removed at once",
  },
];
const makesJson: Allowance[] = [
  {
    path: "src/cli/demo/demo-replies.ts",
    because: "replies of a played agent, which are given to cox apply",
  },
  { path: "src/cli/demo/demo-scene.ts", because: "puts words of our own between quotes for a shell" },
  { path: "src/cli/setup/set-up-mcp.ts", because: "shows what to write into a file, all of it our own" },
];
const triedAlone: Allowance[] = [
  { path: "cox check", because: "reads a plan and the configuration" },
  { path: "cox completion", because: "prints what is always the same" },
  { path: "cox complete", because: "only looks; test/e2e/completion.e2e.test.ts has shells ask it" },
  { path: "cox schema", because: "prints what is always the same" },
  { path: "cox doctor", because: "what it tries it does in a folder of its own" },
  { path: "cox agents", because: "has an agent answer in a folder of its own" },
  { path: "cox demo", because: "works in a repository of its own" },
  { path: "cox mcp", because: "serves; test/e2e/mcp-many-clients.e2e.test.ts has many at once" },
  { path: "cox workflows", because: "reads pages" },
  {
    path: "cox hook",
    because: "notes for one session, whose client calls it once at a time; it never fails",
  },
  { path: "cox model-server", because: "serves what a script says" },
  { path: "cox turn-server", because: "serves one turn, to the one program that works there" },
];

const offers: Allowance[] = [
  { path: "docs/replies.md", because: "says that words instead of edits are refused" },
  { path: "docs/model-server.md", because: "speaks of tools in requests to a model" },
];

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
      { "src/world/files/files.ts": 'const list = () => import("../../changeset/changesets.ts");' },
      { "src/durable/log.ts": 'type Door = import("../cli/apply.ts").Door;' },
      { "src/changeset/undo.ts": 'import "../view/list.ts";' },
      { "src/cli/documents/task.ts": 'import { taskText } from "../../mcp/tools/task-answer.ts";' },
      { "src/mcp/server.ts": 'import { exit } from "../cli/exit.ts";' },
      { "src/cli/reply/apply.ts": 'import { main } from "../../main.ts";' },
      { "src/cli/reply/apply.ts": 'import { main } from "../../index.ts";' },
      { "src/attic/box.ts": "" },
    ],
    good: [
      {
        "src/cli/reply/apply.ts":
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
      { "src/cli/reply/apply.ts": 'import { readFileSync } from "node:fs";' },
      { "src/changeset/verify.ts": 'import { spawn } from "node:child_process";' },
      { "src/main.ts": 'const fs = await import("node:fs/promises");' },
    ],
    good: [
      { "src/world/files/node-files.ts": 'import { readFileSync } from "node:fs";' },
      { "src/cli/reply/apply.ts": 'import { parseArgs } from "node:util";' },
    ],
  },
  "no program is started by a name that is looked up at that moment": {
    rule: onlyOneFileStartsPrograms,
    allowed: startsPrograms,
    bad: [
      { "src/world/files/flock.ts": 'import { spawnSync } from "node:child_process";' },
      { "src/world/processes/launch.ts": 'import { type ChildProcess, spawn } from "node:child_process";' },
      { "src/cli/demo/demo.ts": 'const { exec } = await import("child_process");' },
    ],
    good: [
      { "src/world/processes/spawn.ts": 'import { spawn } from "node:child_process";' },
      { "src/world/processes/launch.ts": 'import type { ChildProcess } from "node:child_process";' },
      { "src/world/launch.test.ts": 'import { spawn } from "node:child_process";' },
    ],
  },
  "only src/main.ts composes adapters": {
    rule: onlyMainComposes,
    allowed: composes,
    bad: [
      {
        "src/world/files/node-files.ts": 'import { readFileSync } from "node:fs";',
        "src/cli/reply/apply.ts": 'import { nodeFiles } from "../../world/files/node-files.ts";',
      },
      {
        "src/world/files/descriptor.ts": 'import { readFileSync } from "node:fs";',
        "src/world/files/node-files.ts": 'import { descriptor } from "./descriptor.ts";',
        "src/durable/log.ts": 'import { nodeFiles } from "../world/files/node-files.ts";',
      },
    ],
    good: [
      {
        "src/world/files/node-files.ts": 'import { readFileSync } from "node:fs";',
        "src/world/files/files.ts": "export interface Files {}",
        "src/main.ts": 'import { nodeFiles } from "./world/node-files.ts";',
        "src/cli/reply/apply.ts":
          'import type { Files } from "../../world/files/files.ts"; import "../../world/files/files.ts";',
        "src/cli/reply/undo.ts": 'import type { NodeFiles } from "../../world/files/node-files.ts";',
      },
    ],
  },
  "only the keyboard reads a person's answers": {
    rule: onlyKeyboardReadsAnswers,
    allowed: readsStdin,
    bad: [
      { "src/cli/steer/land.ts": 'import { createInterface } from "node:readline";' },
      { "src/cli/steer/land.ts": 'import { ReadStream } from "node:tty";' },
      { "src/cli/steer/land.ts": 'const { question } = await import("node:readline/promises");' },
      { "src/world/prompt.ts": 'const fd = openSync("/dev/tty", "r");' },
      { "src/runtime/landing/land.ts": "for await (const line of process.stdin) answer(line);" },
      { "src/runtime/landing/land.ts": "const { stdin, stdout } = process;" },
      { "src/cli/steer/land.ts": 'door.stdin.once("data", answer);' },
      { "src/cli/steer/land.ts": "const ask = ({ stdin }: Door) => stdin.read();" },
    ],
    good: [
      { "src/world/terminal/keyboard.ts": 'const fd = openSync("/dev/tty", "r");' },
      { "src/world/processes/launch.ts": "child.stdin?.end(input); const { stdin } = theirs;" },
      { "src/cli/steer/land.ts": "// stdin, /dev/tty and process.stdin\nconst text = 'stdin';" },
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
  "no function has over 60 lines, except tables": {
    rule: functionsAreShort,
    allowed: isTable,
    bad: [
      { "src/std/a.ts": `function a() {\n${lines(59)}}` },
      { "src/std/a.ts": `class A {\n  /** Long. */\n  b = () => {\n${lines(59)}};\n}` },
    ],
    good: [
      { "src/std/a.ts": `/**\n * Long.\n */\nfunction a() {\n${lines(58)}}` },
      { "src/std/a.ts": `class A {\n${lines(80)}}`, "src/std/a.test.ts": `function a() {\n${lines(80)}}` },
    ],
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
  "an exported name means one thing": {
    rule: namesMeanOneThing,
    bad: [{ "src/std/a.ts": "export type Turn = 1;", "src/git/b.ts": "export interface Turn {}" }],
    good: [
      { "src/std/a.ts": "export function a(): 1;\nexport function a(): 2;" },
      { "src/std/a.ts": "export type Turn = 1;", "src/std/a.test.ts": "export type Turn = 1;" },
    ],
  },
  "types are plain nouns": {
    rule: typesAreNouns,
    bad: [
      { "src/std/a.ts": "interface LandingWish {}" },
      { "src/std/a.ts": "export type Capturing = 1;" },
      { "test/e2e/a.ts": "export interface RunMeans {}" },
    ],
    good: [{ "src/std/a.ts": "export interface Finding {}\nexport type TreeListing = 1;\ntype Things = 1;" }],
  },
  "retired words do not return in names": {
    rule: namesHaveNoRetiredWords,
    bad: [
      { "src/std/a.ts": "export function toldOf(): void {}" },
      { "src/std/a.ts": "interface TaskEnclosure {}" },
      { "src/kernel/rules/standing.ts": "" },
      { "test/kernel/wish.ts": "export const dispatch = 1;" },
      { "test/e2e/run-enclosures.e2e.test.ts": "" },
    ],
    good: [
      { "src/std/a.ts": "export interface EnclosingTurn {}\nexport const outstanding = 1;" },
      { "src/std/a.ts": "// as it was told\nconst heard = 1;\nexport const shoulder = 'a standing wish';" },
      { "src/std/understanding.ts": "export function understand(): void {}" },
    ],
  },
  "ids are branded where they enter, and not cast": {
    rule: idsAreNotCast,
    allowed: brandsIds,
    bad: [
      { "src/git/a.ts": "const tip = stdout.trim() as CommitId;" },
      { "src/git/a.ts": "const tip = (await read()) as CommitId | undefined;" },
      { "src/world/a.ts": "const path = [folder, name].join() as BytePath;" },
      { "src/runtime/a.test.ts": 'const trees = ["t"] as readonly TreeId[];' },
      { "test/doubles/a.ts": "const tip = head as port.TreeId;", "src/std/a.ts": "1 as const;" },
    ],
    good: [
      { "src/git/a.ts": "const tip = commitId(stdout.trim());\nconst of = new Map<CommitId, TreeId>();" },
      { "src/git/a.ts": "// tip as CommitId\nconst hint = 'read it as TreeId';" },
      { "src/git/a.ts": "import type { CommitId as Id } from 'a';\nconst words = ['a'] as const;" },
    ],
  },
  "a large folder has rooms": {
    rule: foldersHaveRooms,
    bad: [Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`src/std/a${at}.ts`, ""]))],
    good: [
      Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [`src/std/${at % 2 === 0 ? "room/" : ""}a${at}.ts`, ""]),
      ),
    ],
  },
  "a word stands in the glossary once": {
    rule: wordsAreExplainedOnce,
    bad: [
      { "GLOSSARY.md": "| word | meaning |\n| --- | --- |\n| order | one |\n| order | other |\n" },
      { "GLOSSARY.md": "| a, b | one |\n| b | other |\n" },
    ],
    good: [
      { "GLOSSARY.md": "| order | one |\n| orders | other |\n" },
      {
        "GLOSSARY.md":
          "| word | meaning |\n| --- | --- |\n| a | one |\n\n| word | meaning |\n| --- | --- |\n| b | two |\n",
      },
    ],
  },
  "a folder's name is in the glossary, or an everyday word": {
    rule: folderNamesAreKnown,
    bad: [
      { "src/lookout/a.ts": "" },
      { "src/world/sight/a.ts": "", "GLOSSARY.md": "| word | sight |\n| --- | --- |\n| a | sight |\n" },
      { "src/desk-sight/a.ts": "", "GLOSSARY.md": "| desk | one |\n" },
    ],
    good: [
      { "src/desk/a.ts": "", "src/acts/a.ts": "", "GLOSSARY.md": "| desk | one |\n| act | two |\n" },
      { "src/model-server/a.ts": "", "src/main.ts": "", "test/lookout/a.ts": "" },
    ],
  },
  "only src/cli prints": {
    rule: hasNoConsole,
    bad: [{ "src/world/a.ts": 'console.error("a");' }, { "src/main.ts": "x.catch((e) => console.log(e));" }],
    good: [{ "src/cli/a.ts": 'console.error("a");', "src/std/a.ts": "// console.log\n" }],
  },
  "temporary places are one's own": {
    rule: takesTemporaryPlacesOfItsOwn,
    allowed: namesTemporaryPlaces,
    bad: [
      { "test/a.ts": 'const cache = join(tmpdir(), "cox-cache");' },
      { "src/world/a.ts": 'writeFileSync(path.join(os.tmpdir(), "x"), "");' },
      { "scripts/a.mjs": 'const log = "/tmp/cox.log";' },
      { "bench/a.ts": 'const log = "/var/tmp/cox.log";' },
    ],
    good: [
      { "test/a.ts": 'const folder = mkdtempSync(join(tmpdir(), "cox-"));' },
      { "test/a.ts": 'run(["true"], { cwd: tmpdir() }); read("-C", "/tmp");' },
    ],
  },
  "the table of sizes names every test that asks for its size": {
    rule: sizesAreListed,
    bad: [
      { "test/a.test.ts": 'import { sized } from "./sized.ts";\n' },
      { "docs/how-we-test.md": "| runs | 1 | 2 | `test/a.test.ts` |\n" },
      {
        "test/a.test.ts": 'import { sized } from "./sized.ts";\nsized({ sample: 1, campaign: 3 });\n',
        "docs/how-we-test.md": "| runs | 1 | 2 | `test/a.test.ts` |\n",
      },
    ],
    good: [
      {
        "test/a.test.ts": 'import { sized } from "./sized.ts";\nsized({ sample: 1_000, campaign: 3_000 });\n',
        "docs/how-we-test.md":
          "| runs | 1,000 | 3,000 | `test/a.test.ts` |\n| logs | some | all | `test/a.test.ts` |\n",
      },
    ],
  },
  "JSON is printed in one place": {
    rule: printsJsonSafely,
    allowed: makesJson,
    bad: [
      { "src/cli/a.ts": "terminal.print(`$" + "{JSON.stringify(document)}`);" },
      { "src/main.ts": "const text = JSON.stringify(document, null, 2);" },
    ],
    good: [
      { "src/cli/a.ts": "terminal.print(jsonText(document)); // JSON.stringify" },
      { "src/world/a.ts": "JSON.stringify(1);", "src/cli/a.test.ts": "JSON.stringify(1);" },
    ],
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
  "every command is tried together with others, or said not to need it": {
    rule: commandsAreTried,
    allowed: triedAlone,
    bad: [
      { "src/cli/table/steer-commands.ts": '  {\n    name: "pause",\n  },\n' },
      {
        "src/cli/table/steer-commands.ts": '  {\n    name: "pause",\n  },\n  {\n    name: "stop",\n  },\n',
        "test/e2e/changing-commands.ts": "  pause: {\n    times: 1,\n  },\n",
      },
      { "test/e2e/reading-commands.ts": '  look: ["look"],\n' },
    ],
    good: [
      {
        "src/cli/table/steer-commands.ts":
          '  {\n    name: "pause",\n    options: [\n      { name: "yes" },\n    ],\n  },\n  {\n    name: "log",\n  },\n',
        "test/e2e/changing-commands.ts": '  pause: {\n  },\n  "log --repair": {\n  },\n',
        "test/e2e/reading-commands.ts": '  "log --verify": ["log", "--verify"],\n',
      },
    ],
  },
  "nothing is offered that has no effect yet": {
    rule: offersOnlyWhatWorks,
    allowed: offers,
    bad: [
      { "docs/plans.md": "| `Reads`, `Writes` | paths |" },
      { "docs/runs.md": "With `tick: true` done tasks are ticked." },
      { "templates/fix.md": "- Produces: schema.md" },
      { "templates/fix.md": "---\nloop-threshold: 3\n---" },
      { "profiles/auditor.md": "tools: Read" },
      { "profiles/contract.md": "| `OUT_OF_SCOPE` | it is not yours |" },
      { "profiles/contract.md": '  "delegations": []' },
      { "src/cli/table/begin-commands.ts": "cox run plan.md --usage-command my-usage" },
    ],
    good: [
      { "docs/plans.md": "A failure tells what it reads. `Writes` | paths" },
      { "src/plan/read/field.ts": '"Reads"' },
      { "CHANGELOG.md": "`tick` has no effect any more" },
    ],
  },
  "the README claims no aim that the benchmarks miss": {
    rule: claimsOnlyMetAims,
    bad: [
      { "README.md": "It is ten times faster." },
      { "README.md": "It makes 300 steps a second." },
      benchmarked("a: ours / theirs", "| ours / theirs | 2.1 (2–3) | at most 2 | missed |"),
      benchmarked("a: ours / theirs", "| ours / others | 2.1 (2–3) | at most 3 | met |"),
      benchmarked("b: ours / theirs", "| ours / theirs | 1.1 (1–2) | at most 2 | met |"),
    ],
    good: [
      benchmarked("a: ours / theirs", "| ours / theirs | 1.1 (1–2) | at most 2 | met |"),
      { "README.md": "A second agent judges it." },
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

test("an exception that a tidy rule no longer needs is reported", () => {
  const printing = asFiles({ "src/world/a.ts": "console.log(1);", "src/cli/a.ts": "" });
  expect(
    unneededAllowances(hasNoConsole, printing, [{ path: "src/cli/a.ts", because: "it printed" }]),
  ).not.toEqual([]);
  expect(
    unneededAllowances(hasNoConsole, printing, [{ path: "src/world/a.ts", because: "it prints" }]),
  ).toEqual([]);
});

test("the tidy rules read the whole repository", () => {
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

/** A README that claims one row, and the page with another one. */
function benchmarked(claim: string, row: string): Files {
  return {
    "README.md": `It is faster.\n<!-- benchmarks: ${claim} -->`,
    "docs/benchmarks.md": `## a\n\n| compared | times as long | wanted | |\n| --- | --- | --- | --- |\n${row}\n`,
  };
}
