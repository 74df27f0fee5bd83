/** `npm test` and `npm run campaign` count what happened, and fail if anything did. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { House } from "./house.ts";

let house: House;

beforeEach(() => {
  house = new House();
  // The test runner's settings read the size of tests from it.
  house.write("test/sized.ts", readFileSync(new URL("../sized.ts", import.meta.url), "utf8"));
});

afterEach(() => house.remove());

test("the last line of a test run counts the tests, and skipped ones are named with their reason", () => {
  house.write(
    "src/a.test.ts",
    `import { expect, test } from "vitest";
     test("one is one", () => expect(1).toBe(1));
     test("one is two", () => expect<number>(1).toBe(2));
     test("needs a moon", (context) => context.skip("there is none"));\n`,
  );
  const run = house.run("test.mjs", ["unit", "crash"]);
  expect(run.status).toBe(1);
  expect(run.stdout).toMatch(/^unit +1 +1 +1 .*$/m);
  expect(run.stdout).toMatch(/^crash +0 +0 +0 .* has no test file to run$/m);
  expect(run.stdout).toContain("skipped: needs a moon: there is none");
  expect(run.stdout).toContain("\nfailed: unit: src/a.test.ts: one is two\n");
  expect(lastLine(run.stdout)).toBe("1 passed, 1 failed");
});

test("the last lines of a passing test run name the ten slowest files and the count, and the exit code is 0", () => {
  for (let number = 1; number <= 11; number += 1)
    house.write(
      `src/${number}.test.ts`,
      `import { test } from "vitest";
       test("a", () => new Promise((resolve) => setTimeout(resolve, ${number === 7 ? 2000 : 0})));\n`,
    );
  const run = house.run("test.mjs", ["unit"]);
  const slow = [...run.stdout.matchAll(/^slow: +\S+ m?s (.*)$/gm)].map(([, path]) => path);
  expect(new Set(slow).size).toBe(10);
  expect(slow[0]).toBe("src/7.test.ts");
  expect(lastLine(run.stdout)).toBe("11 passed, 0 failed");
  expect(run.status).toBe(0);
});

test("a test file that does not load, and one without a test, are failures", () => {
  house.write("src/a.test.ts", 'throw new Error("no");\n');
  house.write("src/b.test.ts", "export const b = 1;\n");
  const run = house.run("test.mjs", ["unit"]);
  expect(run.stdout).toContain("\nfailed: unit: src/a.test.ts: no\n");
  expect(lastLine(run.stdout)).toBe("0 passed, 2 failed");
  expect(run.status).toBe(1);
});

test("a test file that vitest does not find is a failure", () => {
  for (const name of ["a", "lost/b"])
    house.write(`src/${name}.test.ts`, 'import { test } from "vitest";\ntest("it", () => undefined);\n');
  const only = (include: string) =>
    house.write(
      "vitest.config.ts",
      `export default { test: { projects: [{ test: { name: "unit", include: ["${include}"] } }] } };\n`,
    );
  only("src/*.test.ts");
  const one = house.run("test.mjs", ["unit"]);
  expect(one.stdout).toContain("vitest did not run src/lost/b.test.ts");
  expect(lastLine(one.stdout)).toBe("1 passed, 1 failed");
  only("nowhere/**");
  const none = house.run("test.mjs", ["unit"]);
  expect(lastLine(none.stdout)).toMatch(/^0 passed, [12] failed$/);
  expect(none.status).toBe(1);
});

test("the campaign runs exactly the test files that import test/sized.ts, at their full size", () => {
  const sizedTest = (from: string, name: string) =>
    `import { expect, test } from "vitest";
     import { size } from "${from}";
     test("${name}", () => expect(size).toBe("the campaign's"));\n`;
  house.write(
    "test/sim/size.ts",
    'import { sized } from "../sized.ts";\nexport const size = sized({ sample: "the sample\'s", campaign: "the campaign\'s" });\n',
  );
  house.write("test/sim/far.ts", 'import "./a.test.ts";\nexport { size } from "./size.ts";\n');
  house.write("test/sim/a.test.ts", sizedTest("./size.ts", "by a file between"));
  house.write("test/e2e/b.e2e.test.ts", sizedTest("../sim/far.ts", "by two, in another layer"));
  house.write(
    "src/c.test.ts",
    `import { test } from "vitest";
     import type { size } from "../test/sim/size.ts";
     test("only a type", () => { throw new Error(undefined as unknown as typeof size); });\n`,
  );
  const all = house.run("campaign.mjs");
  expect(all.stdout).toMatch(/^unit +0 +0 +0 .* has no test file to run$/m);
  expect(lastLine(all.stdout)).toBe("3 passed, 0 failed");
  expect(all.status).toBe(0);
  expect(lastLine(house.run("campaign.mjs", ["sim"]).stdout)).toBe("1 passed, 0 failed");
  const sample = house.run("test.mjs", ["unit", "sim"]);
  expect(lastLine(sample.stdout)).toBe("0 passed, 2 failed");
  expect(house.run("campaign.mjs", ["check"])).toMatchObject({
    status: 2,
    stderr: 'There is no layer "check". The layers: unit, tidy, crash, sim, e2e, clients\n',
  });
});

test("a process that outlives the tests is a failure", () => {
  house.write(
    "src/a.test.ts",
    `import { spawn } from "node:child_process";
     import { test } from "vitest";
     test("a", () => spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).unref());\n`,
  );
  const run = house.run("test.mjs", ["unit"]);
  const left = /left running: (\d+) \(sleep 600\)/.exec(run.stdout)?.[1];
  expect(left).toBeDefined();
  process.kill(Number(left), "SIGKILL");
  expect(lastLine(run.stdout)).toBe("1 passed, 1 failed");
});

test("a clone that cannot be built is one failure of the test run, and nothing else is run", () => {
  house.write("src/a.test.ts", 'export const a: number = "one";\n');
  const run = house.run("test.mjs", ["unit"]);
  expect(run.stderr).toContain("src/a.test.ts(1,14)");
  expect(lastLine(run.stdout)).toBe("0 passed, 1 failed");
  expect(run.status).toBe(1);
});

test("an unknown layer of tests is refused with the names of the layers", () => {
  expect(house.run("test.mjs", ["untit"])).toMatchObject({
    status: 2,
    stdout: "",
    stderr: 'There is no layer "untit". The layers: check, unit, tidy, crash, sim, e2e, clients\n',
  });
});

function lastLine(text: string): string | undefined {
  return text.trimEnd().split("\n").at(-1);
}
