/**
 * Help and version cost no more than Node itself, because almost nothing is loaded. Modules are counted, not timed, so
 * that a busy machine cannot make it fail.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { house } from "../tidy/tree.ts";
import { loadedModules } from "./loaded-modules.ts";

const program = join(house, "bin", "cox.js");

test.for(["--version", "-V", "-v"])("cox %s loads the program's one file", (argument) => {
  expect(loadedModules([program, argument])).toEqual([program]);
});

test.for(["--help", "-h", ""])("cox %s loads the program and the rows of commands", (argument) => {
  const loaded = loadedModules([program, argument].filter((word) => word !== ""));
  expect(loaded.sort()).toEqual([program, join(house, "dist", "cox", "cli", "table", "commands.js")]);
});

test("the list of loaded modules includes our modules and those of packages", () => {
  const main = join(house, "dist", "cox", "main.js");
  const script = `await import(${JSON.stringify(main)}); await import("zod");`;
  const loaded = loadedModules(["--input-type=module", "-e", script]);
  expect(loaded).toContain(main);
  expect(loaded).toContainEqual(expect.stringContaining("/node_modules/zod/"));
});

test("cox in a clone that was not built says what to type, and exits with 5", () => {
  const clone = mkdtempSync(join(tmpdir(), "cox-clone-"));
  try {
    cpSync(join(house, "bin"), join(clone, "bin"), { recursive: true });
    writeFileSync(join(clone, "package.json"), '{ "type": "module", "version": "1.2.3" }');
    const cox = (...args: string[]) =>
      spawnSync(process.execPath, [join(clone, "bin/cox.js"), ...args], { encoding: "utf8" });
    expect(cox("--version")).toMatchObject({ status: 0, stdout: "1.2.3\n" });
    expect(cox("apply")).toMatchObject({
      status: 5,
      stdout: "",
      stderr: expect.stringContaining("npm run build"),
    });
    expect(cox("--help")).toMatchObject({
      status: 5,
      stdout: "",
      stderr: expect.stringContaining("npm run build"),
    });
    const json = cox("apply", "--json");
    expect(json).toMatchObject({ status: 5, stderr: "" });
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false });
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
});

test("cox in a clone runs the bundle if it is of the last build, and otherwise the compiler's output", () => {
  const clone = mkdtempSync(join(tmpdir(), "cox-clone-"));
  const write = (path: string, text: string) => writeFileSync(join(clone, path), text);
  const says = () =>
    spawnSync(process.execPath, [join(clone, "bin/cox.js"), "run"], { encoding: "utf8" }).stdout;
  try {
    cpSync(join(house, "bin"), join(clone, "bin"), { recursive: true });
    write("package.json", '{ "type": "module" }');
    mkdirSync(join(clone, "dist/cox"), { recursive: true });
    write("dist/cox/main.js", 'export const main = () => console.log("bundle");');
    expect(says(), "installed: there is nothing else").toBe("bundle\n");
    mkdirSync(join(clone, "dist/src"));
    write("dist/src/main.js", 'export const main = () => console.log("compiled");');
    expect(says(), "nobody knows what the bundle was made of").toBe("compiled\n");
    write("dist/.tsbuildinfo", "{}");
    const { size, mtimeMs } = statSync(join(clone, "dist/.tsbuildinfo"));
    write("dist/.bundled", `${size} ${mtimeMs}`);
    expect(says(), "it was made of this").toBe("bundle\n");
    utimesSync(join(clone, "dist/.tsbuildinfo"), 1, 1);
    expect(says(), "compiled again since").toBe("compiled\n");
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
});

test.for([
  ["an old Node", { versions: { node: "18.20.4" } }, "needs Node 20.19 or newer; this is Node 18.20.4"],
  ["a Node of our line that is too old", { versions: { node: "20.18.3" } }, "this is Node 20.18.3"],
  ["native Windows", { platform: "win32" }, "Use WSL"],
] as const)("cox on %s says what to do, and exits with 5", ([, pretended, words]) => {
  const pretend = Object.entries(pretended).map(
    ([name, value]) => `Object.defineProperty(process, "${name}", { value: ${JSON.stringify(value)} });`,
  );
  const script = `data:text/javascript,${encodeURIComponent(pretend.join("\n"))}`;
  const refused = spawnSync(process.execPath, ["--import", script, program, "--version"], {
    encoding: "utf8",
  });
  expect(refused).toMatchObject({ status: 5, stdout: "", stderr: expect.stringContaining(words) });
});

test("cox succeeds when the reader of its output goes away early", () => {
  const piped = spawnSync(
    "bash",
    ["-c", `"$0" "$1" --help | true; echo "\${PIPESTATUS[0]}"`, process.execPath, program],
    {
      encoding: "utf8",
    },
  );
  expect(piped).toMatchObject({ stdout: "0\n", stderr: "" });
});
