/**
 * Two users on one machine: the temporary folder contains something of another user's under every name that we or our
 * packages use there. It is neither used nor in the way.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, type TestContext, test } from "vitest";
import { create, replyOf } from "../bad-inputs/row.ts";
import { commandToBecome } from "../escape/play-as.ts";
import { program } from "./program.ts";

/** Names used by the package that brings the browser, which takes whatever it finds there for its own. */
const packageNames = ["chromium", "al2023.tar.br", "al2023", "swiftshader.tar.br", "libGLESv2.so", "fonts"];
const folderNames = ["cox-browser-aaaaaa", "cox-demo-aaaaaa", "cox-confine-aaaaaa", "cox-streams-aaaaaa"];
/** As if left by a process that has ended. */
const layerName = "cox-layer-99999999-1-aaaaaa";

let shared: string;
let become: readonly string[];

beforeEach((context) => {
  become = becomeOrdinary(context);
  shared = mkdtempSync(join(tmpdir(), "cox-two-users-"));
  onTestFinished(() => rmSync(shared, { recursive: true, force: true }));
  chmodSync(shared, 0o1777);
  for (const name of packageNames) writeFileSync(join(shared, name), foreign, { mode: 0o755 });
  for (const name of [...folderNames, layerName]) {
    mkdirSync(join(shared, name), { mode: 0o700 });
    writeFileSync(join(shared, name, "file"), foreign);
  }
});

const foreign = "#!/bin/sh\necho of somebody else\n";

function becomeOrdinary(context: TestContext): readonly string[] {
  if (process.getuid?.() !== 0) context.skip("only root can play two users");
  const found = commandToBecome("ordinary");
  if (typeof found === "string") return context.skip(found);
  const canRead = spawnSync("env", [...found, "test", "-r", program]).status === 0;
  return canRead ? found : context.skip("an ordinary user may not read this clone");
}

/** Runs the program as the other user, with a separate home. */
function typed(argv: readonly string[], stdin = "") {
  const home = mkdtempSync(join(shared, "home-"));
  const { uid, gid } = nobody();
  chownSync(home, uid, gid);
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: home, TMPDIR: shared };
  const ended = spawnSync("env", [...become, process.execPath, ...argv], {
    ...{ cwd: home, env, input: stdin, encoding: "utf8" },
  });
  return { ...ended, home, uid };
}

function nobody(): { uid: number; gid: number } {
  const script = "process.stdout.write(JSON.stringify({ uid: process.getuid(), gid: process.getgid() }))";
  const { stdout } = spawnSync("env", [...become, process.execPath, "-e", script], { encoding: "utf8" });
  return JSON.parse(stdout);
}

const urlOf = (path: string) => JSON.stringify(String(new URL(path, import.meta.url)));
const unpacking = `
const { lstatSync } = await import("node:fs");
const { unpackBrowser } = await import(${urlOf("../../dist/test/e2e/browser.js")});
const { executablePath, remove } = await unpackBrowser();
const { uid, mode } = lstatSync(executablePath);
console.log(JSON.stringify({ executablePath, uid, canRun: (mode & 0o100) !== 0 }));
remove();
`;
const carelessly = `
const { default: chromium } = await import(${JSON.stringify(import.meta.resolve("@sparticuz/chromium"))});
console.log(await chromium.executablePath());
`;

test("the browser's package by itself runs a browser that another user left in the temporary folder", () => {
  const { stdout, stderr } = typed(["--input-type=module", "-e", carelessly]);
  expect(stdout.trim(), stderr).toBe(join(shared, "chromium"));
});

test("our tests unpack the browser into a folder of the user's own, and remove it afterwards", () => {
  const { stdout, stderr, uid } = typed(["--input-type=module", "-e", unpacking]);
  expect(stderr).toBe("");
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ uid, canRun: true });
  expect(found.executablePath).toMatch(/\/cox-browser-[^/]+\/chromium$/);
  expect(found.executablePath).not.toContain("cox-browser-aaaaaa");
  mustBeUntouched();
});

test("cox applies a reply and shows its demo on a machine with another user's files", () => {
  const applied = typed([program, "apply", "--yes", "--json"], replyOf(create("a.txt", "new\n")));
  expect(applied.status, applied.stdout + applied.stderr).toBe(0);
  expect(readFileSync(join(applied.home, "a.txt"), "utf8")).toBe("new\n");
  const shown = typed([program, "demo"]);
  expect(shown.status, shown.stdout + shown.stderr).toBe(0);
  mustBeUntouched();
});

/** The other user's files are unchanged, and nothing is left beside them except what this user keeps. */
function mustBeUntouched(): void {
  const folders = [...folderNames, layerName];
  for (const path of [...packageNames, ...folders.map((name) => `${name}/file`)])
    expect(readFileSync(join(shared, path), "utf8")).toBe(foreign);
  const others = readdirSync(shared).filter((name) => ![...packageNames, ...folders].includes(name));
  expect(others.filter((name) => !/^(home|cox-demo)-/.test(name))).toEqual([]);
}
