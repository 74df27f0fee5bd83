/** `scripts/test.mjs` counts what happened, and fails when anything did. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { House } from "./house.ts";

let house: House;

beforeEach(() => {
  house = new House();
});

afterEach(() => house.remove());

test("the last line counts the tests, and skipped ones are named with their reason", () => {
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
  expect(run.stdout).toMatch(/^crash +0 +0 +0 .* has no test file yet$/m);
  expect(run.stdout).toContain("skipped: needs a moon: there is none");
  expect(lastLine(run.stdout)).toBe("1 passed, 1 failed");
});

test("when all is well the last line is the count, and the exit code 0", () => {
  house.write(
    "src/a.test.ts",
    'import { expect, test } from "vitest";\ntest("a", () => expect(1).toBe(1));\n',
  );
  const run = house.run("test.mjs", ["unit"]);
  expect(lastLine(run.stdout)).toBe("1 passed, 0 failed");
  expect(run.status).toBe(0);
});

test("a file that does not load, and one without a test, are failures", () => {
  house.write("src/a.test.ts", 'throw new Error("no");\n');
  house.write("src/b.test.ts", "export const b = 1;\n");
  const run = house.run("test.mjs", ["unit"]);
  expect(lastLine(run.stdout)).toBe("0 passed, 2 failed");
  expect(run.status).toBe(1);
});

test("a layer whose files vitest does not find is a failure", () => {
  house.write(
    "vitest.config.ts",
    'export default { test: { projects: [{ test: { name: "unit", include: ["lost/**"] } }] } };\n',
  );
  house.write(
    "src/a.test.ts",
    'import { expect, test } from "vitest";\ntest("a", () => expect(1).toBe(1));\n',
  );
  const run = house.run("test.mjs", ["unit"]);
  expect(lastLine(run.stdout)).toBe("0 passed, 1 failed");
  expect(run.status).toBe(1);
});

test("a process that outlives the tests is a failure", () => {
  house.write(
    "src/a.test.ts",
    `import { spawn } from "node:child_process";
     import { test } from "vitest";
     test("a", () => spawn("sleep", ["4"], { detached: true, stdio: "ignore" }).unref());\n`,
  );
  const run = house.run("test.mjs", ["unit"]);
  expect(run.stdout).toMatch(/left running: \d+ \(sleep 4\)/);
  expect(lastLine(run.stdout)).toBe("1 passed, 1 failed");
});

test("a clone that cannot be made ready is one failure, and nothing else is run", () => {
  house.write("src/a.test.ts", 'export const a: number = "one";\n');
  const run = house.run("test.mjs", ["unit"]);
  expect(run.stderr).toContain("src/a.test.ts(1,14)");
  expect(lastLine(run.stdout)).toBe("0 passed, 1 failed");
  expect(run.status).toBe(1);
});

test("a layer that there is not is answered with those that there are", () => {
  expect(house.run("test.mjs", ["untit"])).toMatchObject({
    status: 2,
    stdout: "",
    stderr: 'There is no layer "untit". The layers: check, unit, tidy, crash, sim, e2e, clients\n',
  });
});

function lastLine(text: string): string | undefined {
  return text.trimEnd().split("\n").at(-1);
}
