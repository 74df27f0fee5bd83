/**
 * Help and version cost what Node costs, because almost nothing is loaded. Counted and not timed, so that a busy
 * machine cannot make it fail.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
  const cli = join(house, "dist", "src", "cli");
  const rows = ["begin", "document", "look", "reply", "steer"].map((name) => `${name}-commands`);
  rows.push("command", "commands");
  expect(loaded.sort()).toEqual([program, ...rows.map((name) => join(cli, `${name}.js`))].sort());
});

test("what is loaded is seen, of ours and of others", () => {
  const main = join(house, "dist", "src", "main.js");
  const script = `await import(${JSON.stringify(main)}); await import("zod");`;
  const loaded = loadedModules(["--input-type=module", "-e", script]);
  expect(loaded).toContain(main);
  expect(loaded).toContainEqual(expect.stringContaining("/node_modules/zod/"));
});

test("a clone that was not built says what to type, and exits 5", () => {
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

test.for([
  ["an old Node", { versions: { node: "18.20.4" } }, "needs Node 20.19 or newer; this is Node 18.20.4"],
  ["a Node of our line that is too old", { versions: { node: "20.18.3" } }, "this is Node 20.18.3"],
  ["native Windows", { platform: "win32" }, "Use WSL"],
] as const)("%s is told what to do, and gets exit 5", ([, pretended, words]) => {
  const pretend = Object.entries(pretended).map(
    ([name, value]) => `Object.defineProperty(process, "${name}", { value: ${JSON.stringify(value)} });`,
  );
  const script = `data:text/javascript,${encodeURIComponent(pretend.join("\n"))}`;
  const refused = spawnSync(process.execPath, ["--import", script, program, "--version"], {
    encoding: "utf8",
  });
  expect(refused).toMatchObject({ status: 5, stdout: "", stderr: expect.stringContaining(words) });
});

test("a reader that goes away early is no failure", () => {
  const piped = spawnSync(
    "bash",
    ["-c", `"$0" "$1" --help | true; echo "\${PIPESTATUS[0]}"`, process.execPath, program],
    {
      encoding: "utf8",
    },
  );
  expect(piped).toMatchObject({ stdout: "0\n", stderr: "" });
});
