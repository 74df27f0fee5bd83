/** What the pages tell a reader to type works, and prints what they show. The convention is in docs/document.ts. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSeen, withTable } from "./clients/seen.ts";
import { parsePage } from "./docs/document.ts";
import { type NotRun, runPage } from "./docs/run-page.ts";
import { house, tree } from "./tidy/tree.ts";

const notRun: NotRun[] = [
  { command: /^git clone /, because: "fetches this repository from the network" },
  { command: /^cd coxswain$/, because: "follows a git clone that was not run" },
  { command: /^npm (ci|install|i)\b/, because: "would install packages for every run of the tests" },
  { command: /^npm (test|t)\b/, because: "is what runs this test" },
  {
    command: /^npm run (build|check|campaign|bench|picture|sim|format|test:clients)\b/,
    because: "works on the clone itself, not in a fresh folder",
  },
];

const program = `${house}bin/cox.js`;

for (const { path, text } of tree().filter(({ path }) => /^([A-Z]+|docs\/.*)\.md$/.test(path))) {
  test(`${path}: every command works as it is shown`, () => {
    expect(runPage(parsePage(text), { program, notRun })).toEqual([]);
  });
}

test("the table in docs/agents.md says of real programs exactly what their tests saw", () => {
  const page = readFileSync(`${house}docs/agents.md`, "utf8");
  expect(withTable(page, readSeen())).toBe(page);
  expect(withTable(page, {})).not.toBe(page);
});

const mark = "```";

test.for([
  ["a command that fails", "$ false"],
  ["a command that does not exist", "$ coxx apply"],
  ["other output", "$ echo one\ntwo"],
  ["less output", "$ echo one\none\ntwo"],
  ["more output", "$ printf 'one\\ntwo\\n'\none"],
  ["another line between", "$ printf 'one\\ntwo\\nthree\\n'\none\nthree"],
  ["success where the page shows a failure", "$ true # exit 1"],
  ["another exit code", "$ (exit 3) # exit 2"],
  ["a dot taken for any character", "$ echo axb\na.b"],
  ["a shell that ends", "$ exit 0\n$ echo one\none"],
  ["a quote that is not closed", "$ echo 'one"],
  ["npm for anything but the demo", "$ npm publish"],
])("the check of pages rejects a console block: %s", ([, block]) => {
  expect(run(`${mark}console\n${block}\n${mark}\n`)).not.toEqual([]);
});

test.for([
  ["nothing promised", "$ echo one"],
  ["exact output", "$ printf 'one\\n\\ntwo\\n'\none\n\ntwo"],
  ["a wildcard in a line", "$ echo one 123 two\none … two"],
  ["a wildcard for lines", "$ printf 'one\\ntwo\\nthree\\nfour\\n'\none\n…\nfour"],
  ["a wildcard for no line", "$ printf 'one\\nfour\\n'\none\n…\nfour"],
  ["a failure on purpose", "$ (exit 2) # exit 2"],
  ["what goes to stderr", "$ echo one >&2\none"],
  ["one shell for all commands", "$ mkdir a && cd a\n$ name=one\n$ echo $name in $(basename $PWD)\none in a"],
  ["a command over several lines", "$ cat > a.txt <<EOF\n> one\n> EOF\n$ cat a.txt\none"],
  ["the program of this repository", "$ cox --version\n0.…\n$ npx coxswain --version\n0.…"],
  ["what no test can run", "$ git clone https://example.com/coxswain\n$ npm test\n12 passed, 0 failed"],
])("the check of pages accepts a console block: %s", ([, block]) => {
  expect(run(`${mark}console\n${block}\n${mark}\n`)).toEqual([]);
});

test("every line of a sh block in a page is run, and must succeed", () => {
  const block = (text: string) => run(`${mark}sh\n${text}\n${mark}\n`);
  expect(block("# a comment\nfalse\ntrue")).not.toEqual([]);
  expect(block("mkdir a\ncd a\n\ntouch \\\n  b\n# a comment\ntest -f ../a/b")).toEqual([]);
  expect(block("git clone https://example.com/coxswain\ncd coxswain\nnpm test   # all of it")).toEqual([]);
});

test("a block of a page that names a file is written to that file", () => {
  const page = `${mark}json in/reply.json\n{ "a": "it's" }\n${mark}\n\n${mark}console\n$ cat in/reply.json\n`;
  expect(run(`${page}{ "a": "it's" }\n${mark}\n`)).toEqual([]);
  expect(run(`${page}{ "a": "its" }\n${mark}\n`)).not.toEqual([]);
});

test("a block of a page that looks like commands and would not be run is a mistake", () => {
  expect(run(`${mark}bash\ntrue\n${mark}\n`)).not.toEqual([]);
  expect(run(`${mark}\n$ true\n${mark}\n`)).not.toEqual([]);
  expect(run(`${mark}text\njust to read\n${mark}\n`)).toEqual([]);
});

test("a fence inside a longer fence, and one in a list, are read as Markdown reads them", () => {
  expect(run(`${mark}${mark}md\n${mark}console\n$ false\n${mark}\n${mark}${mark}\n`)).toEqual([]);
  expect(run(`- so:\n\n  ${mark}console\n  $ echo one\n  two\n  ${mark}\n`)).not.toEqual([]);
});

function run(text: string): string[] {
  return runPage(parsePage(text), { program, notRun });
}
