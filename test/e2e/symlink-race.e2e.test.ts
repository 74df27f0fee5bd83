import { type ChildProcess, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Files, Folder } from "../../src/world/files.ts";
import { nodeFiles } from "../../src/world/node-files.ts";

const writes = 20_000;
/** Fewer than one try in a hundred finds the folder itself in its place; one that does writes this often, while it is swapped. */
const writesPerOpen = 200;
const triesMax = 2_000_000;
const attackerProgram = fileURLToPath(new URL("../../dist/test/e2e/symlink-attacker.js", import.meta.url));

let scene: string;
let workspace: string;
let canary: string;
let attacker: ChildProcess;

beforeEach(async () => {
  scene = realpathSync(mkdtempSync(join(tmpdir(), "race-")));
  workspace = join(scene, "workspace");
  canary = join(scene, "canary");
  mkdirSync(join(workspace, "d"), { recursive: true });
  mkdirSync(canary);
  symlinkSync(canary, join(workspace, "link"));
  attacker = spawn(process.execPath, [attackerProgram, workspace, "240"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve, reject) => {
    attacker.stdout?.once("data", resolve);
    attacker.once("error", reject);
    attacker.once("exit", (code) => reject(new Error(`the attacker ended with ${code} (is dist/ built?)`)));
  });
});

afterEach(async () => {
  if (attacker.exitCode === null && attacker.signalCode === null) {
    const ended = new Promise((resolve) => attacker.once("exit", resolve));
    attacker.kill("SIGKILL");
    await ended;
  }
  rmSync(scene, { recursive: true, force: true });
});

test(`not one of ${writes} writes leaves the root while its folder is swapped for a link`, () => {
  const files = nodeFiles();
  const root = files.openRoot(workspace);
  const refused = new Set<string>();
  let written = 0;
  for (let index = 0; index < triesMax && written < writes; index++) {
    try {
      written += replaceMany(files, root);
    } catch (error) {
      refused.add(String((error as { code?: string }).code));
    }
  }
  files.close(root);
  expect(readdirSync(canary)).toEqual([]);
  expect(attacker.exitCode).toBeNull();
  // Else nobody was there to race with: a folder that is a link, and one that is just away, were both met.
  expect([...refused].sort()).toEqual(["ENOENT", "ENOTDIR"]);
  expect(written).toBe(writes);
});

test("the same race lets a careful write by paths out: it is a race that can be lost", () => {
  for (let index = 0; index < triesMax && readdirSync(canary).length === 0; index++) {
    try {
      writeChecked("d", `x${index % 10}`);
    } catch {
      // The folder was away, or the check saw the link: refused, as it should be.
    }
  }
  expect(readdirSync(canary)).not.toEqual([]);
});

/** The way files are replaced, without the syncs. Once its folder is open, nothing that is done to its name matters. */
function replaceMany(files: Files, root: Folder): number {
  const folder = files.openFolder(root, "d");
  try {
    for (let index = 0; index < writesPerOpen; index++) {
      const temporary = files.open(folder, `.x${index}`, "create");
      files.write(temporary, new TextEncoder().encode("inside"));
      files.close(temporary);
      files.rename(folder, `.x${index}`, folder, `x${index}`);
    }
    return writesPerOpen;
  } finally {
    files.close(folder);
  }
}

/** What is usually done: resolve the folder, see that it is inside, write. */
function writeChecked(folder: string, name: string): void {
  const path = join(workspace, folder, name);
  const parent = realpathSync(join(workspace, folder));
  if (!parent.startsWith(`${workspace}/`)) throw new Error(`${parent} is outside`);
  writeFileSync(path, "outside");
}
