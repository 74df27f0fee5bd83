/** `scripts/ready.mjs` does what is missing and only that, and says what to type when it cannot. */
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { House } from "./house.ts";

/** Built once. Each test changes a copy. */
let built: House;
let building: ReturnType<House["run"]>;
let house: House;

beforeAll(() => {
  built = new House();
  built.write("src/a.ts", "export const a = 1;\n");
  // Node's types are not needed here, and reading them is half of the compiler's time.
  built.write("tsconfig.json", readFileSync(built.path("tsconfig.json"), "utf8").replace('["node"]', "[]"));
  building = built.run("ready.mjs");
});

afterAll(() => built.remove());

beforeEach(() => {
  house = new House(built);
});

afterEach(() => house.remove());

test("scripts/ready.mjs builds what is not built, and does and prints nothing the second time", () => {
  expect(building).toMatchObject({
    status: 0,
    stdout: "",
    stderr: expect.stringContaining("building"),
  });
  expect(readFileSync(house.path("dist/src/a.js"), "utf8")).toContain("a = 1");
  expect(readFileSync(house.path("dist/cox/main.js"), "utf8")).toContain('name = "main"');
  expect(house.run("ready.mjs")).toMatchObject({ status: 0, stdout: "", stderr: "" });
});

test("scripts/ready.mjs bundles again after a compilation, and after a change of a source", () => {
  utimesSync(house.path("dist/.tsbuildinfo"), 1, 1);
  const again = house.run("ready.mjs").stderr;
  expect(again).toContain("bundling");
  expect(again).not.toContain("building");
  house.write("src/main.ts", 'export const name = "later";\n');
  house.run("ready.mjs");
  expect(readFileSync(house.path("dist/cox/main.js"), "utf8")).toContain('name = "later"');
});

test("a bundle that lost a file is made again", () => {
  rmSync(house.path("dist/cox/index.js"));
  expect(house.run("ready.mjs").stderr).not.toContain("building");
  expect(existsSync(house.path("dist/cox/index.js"))).toBe(true);
});

test("a source that cannot be bundled fails with the reason, each time until it is corrected", () => {
  house.write("src/main.ts", '// @ts-expect-error\nimport "not-there";\nexport const name = "main";\n');
  const refused = { status: 1, stderr: expect.stringContaining("not-there") };
  expect(house.run("ready.mjs")).toMatchObject(refused);
  expect(house.run("ready.mjs")).toMatchObject(refused);
  house.write("src/main.ts", 'export const name = "main";\n');
  expect(house.run("ready.mjs").status).toBe(0);
});

test("scripts/ready.mjs --build builds although nothing changed", () => {
  expect(house.run("ready.mjs", ["--build"]).stderr).toContain("building");
});

test("a deleted source leaves no output behind", () => {
  house.write("src/b.ts", "export const b = 1;\n");
  house.run("ready.mjs");
  expect(existsSync(house.path("dist/src/b.js"))).toBe(true);
  rmSync(house.path("src/b.ts"));
  expect(house.run("ready.mjs").stderr).toContain("building");
  expect(existsSync(house.path("dist/src/a.js"))).toBe(true);
  expect(existsSync(house.path("dist/src/b.js"))).toBe(false);
  expect(existsSync(house.path("dist/src/b.d.ts"))).toBe(false);
});

test("a deleted output is made again", () => {
  rmSync(house.path("dist/src/a.js"));
  house.run("ready.mjs");
  expect(existsSync(house.path("dist/src/a.js"))).toBe(true);
});

test("a source that is older than the build, and new in its place, is built", () => {
  house.write("other.ts", "export const a = 2;\n");
  utimesSync(house.path("other.ts"), 1, 1);
  renameSync(house.path("other.ts"), house.path("src/a.ts"));
  house.run("ready.mjs");
  expect(readFileSync(house.path("dist/src/a.js"), "utf8")).toContain("a = 2");
});

test("a source that does not compile fails with the compiler's message, each time until it is corrected", () => {
  house.write("src/a.ts", 'export const a: number = "one";\n');
  const refused = { status: 1, stderr: expect.stringContaining("src/a.ts(1,14)") };
  expect(house.run("ready.mjs")).toMatchObject(refused);
  expect(house.run("ready.mjs")).toMatchObject(refused);
  house.write("src/a.ts", "export const a: number = 3;\n");
  expect(house.run("ready.mjs").status).toBe(0);
  expect(readFileSync(house.path("dist/src/a.js"), "utf8")).toContain("a = 3");
});

test("packages that are not those of the lockfile are installed, and a failure says what to type", () => {
  withPackageInLock("node_modules/wanted", { version: "1.0.0" });
  const failed = house.run("ready.mjs", [], withNpm("echo asked: $*; exit 7"));
  expect(failed.status).toBe(5);
  expect(failed.stderr).toMatch(/asked: ci --include=dev.*npm ci ended with 7.*or type: npm ci/s);
});

test("a binary for another machine need not be installed", () => {
  withPackageInLock("node_modules/for-another-machine", { version: "1.0.0", optional: true });
  expect(house.run("ready.mjs", [], withNpm("exit 7")).status).toBe(0);
});

test("scripts/ready.mjs without npm or git says which is missing, and exits with 5", () => {
  expect(house.run("ready.mjs", [], "/nowhere")).toMatchObject({
    status: 5,
    stderr: expect.stringContaining("npm was not found"),
  });
  expect(house.run("ready.mjs", [], withNpm("true").split(":")[0])).toMatchObject({
    status: 5,
    stderr: expect.stringContaining("git was not found"),
  });
});

function withPackageInLock(path: string, entry: object): void {
  const lock = JSON.parse(readFileSync(house.path("package-lock.json"), "utf8"));
  lock.packages[path] = entry;
  house.write("package-lock.json", JSON.stringify(lock));
}

/** PATH with a fake npm first, so that none of these tests can install anything. */
function withNpm(line: string): string {
  house.write("bin/npm", `#!/bin/sh\n${line}\n`);
  chmodSync(house.path("bin/npm"), 0o755);
  return `${house.path("bin")}:${process.env.PATH}`;
}
