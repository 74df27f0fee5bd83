import { expect, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import { verifyChecker } from "./verify-runs.ts";

const files: readonly (readonly [command: string, path: string, found: boolean])[] = [
  ["./check.sh", "check.sh", true],
  ["./check.sh", "Check.sh", true],
  ["./check.sh", "web/check.sh", false],
  ["CI=1 ./check.sh --fast > out.txt", "check.sh", true],
  ["timeout 60 scripts/check", "scripts/check", true],
  ["bash ci.sh", "ci.sh", true],
  ["bash -eu 'my ci.sh'", "my ci.sh", true],
  ["sh -ec './a.sh && ./b.sh'", "b.sh", true],
  [". ./ci.sh", "ci.sh", true],
  ["node scripts/test.mjs", "scripts/test.mjs", true],
  ["node --import ./hook.mjs scripts/test.mjs", "hook.mjs", true],
  ["node --import ./hook.mjs scripts/test.mjs", "scripts/test.mjs", true],
  ["python tests/run.py -v", "tests/run.py", true],
  ["python3.12 -W error tests/run.py", "tests/run.py", true],
  ["bun run scripts/test.ts", "scripts/test.ts", true],
  ["npm run build && (cd web; node ./run.js)", "web/run.js", true],
  ["if ! ./check.sh; then exit 1; fi", "check.sh", true],
  ['test "$(node count.js)" = 3', "count.js", true],
  ["make -C native check", "native/Makefile", true],
  ["make check", "makefile", true],
  ["make check", "rules/test.mk", true],
  ["make -f build/all.txt", "build/all.txt", true],
  ["just test", "justfile", true],
  ["rake spec", "Rakefile", true],
  // These are judged; they do not judge.
  ["test -f src/a.txt", "src/a.txt", false],
  ["node --test test/a.test.js", "test/a.test.js", false],
  ["python -m pytest tests/test_a.py", "tests/test_a.py", false],
  ["node -e 'import(\"./a.js\")' a.js", "a.js", false],
  ["vitest run src/a.test.ts", "src/a.test.ts", false],
  ["npx eslint src/a.js", "src/a.js", false],
  ["node scripts/test.mjs src/a.js", "src/a.js", false],
  ["cargo test", "Makefile", false],
  ["echo make", "Makefile", false],
  ["/usr/bin/check", "usr/bin/check", false],
  ["../check.sh", "check.sh", false],
];

test.each(files)("%s: a change of %s is found: %s", (command, path, found) => {
  const check = verifyChecker(["true", command]);
  const [before, after] = [encodeUtf8("one"), encodeUtf8("other")];
  for (const file of [
    { path, before, after },
    { path, before, after: undefined },
  ])
    expect(check({ ...file, isNew: false })?.code).toBe(found ? "VERIFY_CHANGED" : undefined);
  expect(check({ path, isNew: true, before: undefined, after })).toBeUndefined();
});

type Scripts = Readonly<Record<string, string>>;
const scripts: readonly (readonly [
  command: string,
  before: Scripts,
  after: Scripts,
  found: string | undefined,
])[] = [
  ["npm test", { test: "vitest" }, { test: "echo fine" }, '"test"'],
  ["npm t", { test: "vitest" }, { test: "echo fine" }, '"test"'],
  ["npm --prefix web test", { test: "vitest" }, { test: "echo fine" }, '"test"'],
  ["npm test", { test: "vitest" }, {}, '"test"'],
  ["npm test", { test: "vitest" }, { test: "vitest", pretest: "rm -r test" }, '"pretest"'],
  ["npm run check", { check: "tsc", postcheck: "x" }, { check: "tsc" }, '"postcheck"'],
  ["yarn check", { check: "tsc" }, { check: "true" }, '"check"'],
  [
    "npm test",
    { test: "npm run unit && npm run e2e", e2e: "a" },
    { test: "npm run unit && npm run e2e", e2e: "b" },
    '"e2e"',
  ],
  ["npm test", { test: "npm test" }, { test: "npm test" }, undefined],
  ["npm ci", {}, { postinstall: "node x" }, '"postinstall"'],
  ["npm test", { test: "vitest" }, { test: "vitest", lint: "biome" }, undefined],
  ["npm test", { lint: "biome" }, { lint: "biome", test: "vitest" }, undefined],
  ["make test", { test: "vitest" }, { test: "echo fine" }, undefined],
];

test.each(scripts)("%s: %j → %j finds %s", (command, before, after, found) => {
  const manifest = (scripts: Scripts) => encodeUtf8(JSON.stringify({ name: "x", scripts }));
  const problem = verifyChecker([command])({
    path: "web/package.json",
    isNew: false,
    before: manifest(before),
    after: manifest(after),
  });
  if (found === undefined) expect(problem).toBeUndefined();
  else
    expect(problem).toMatchObject({
      code: "VERIFY_CHANGED",
      message: expect.stringContaining(`script ${found}`),
    });
});

test("the warning about a file that a verify command runs names the file and the command", () => {
  const problem = verifyChecker(["bash ci.sh"])({
    path: "ci.sh",
    isNew: false,
    before: encodeUtf8("a"),
    after: encodeUtf8("b"),
  });
  expect(problem?.message).toBe(
    '"ci.sh", which it runs, would change, and with it what the verify command "bash ci.sh" checks',
  );
});

test("any command line is read, in time that grows only with its length", () => {
  const hostile = [
    "'",
    '"',
    "\\",
    "$(",
    "npm",
    "-",
    "a=",
    "env",
    "''",
    `${"(".repeat(50_000)}`,
    `"${"\\a".repeat(50_000)}`,
  ];
  for (const line of hostile) expect(verifyChecker([line, `${line} ./x`])).toBeTypeOf("function");
});
