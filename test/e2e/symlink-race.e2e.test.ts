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
import { nodeFiles } from "../../src/world/files/node-files.ts";
import { Tree } from "../../src/world/folders/tree.ts";
import { sized } from "../sized.ts";

const writes = sized({ sample: 4_000, campaign: 20_000 });
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
  const tree = Tree.open(nodeFiles(), workspace);
  const refused = new Map<string, number>();
  let written = 0;
  for (let index = 0; index < writes; index++) {
    try {
      replace(tree, `d/x${index % 100}`);
      written++;
    } catch (error) {
      const { code = "none" } = error as { code?: string };
      refused.set(code, (refused.get(code) ?? 0) + 1);
    } finally {
      tree.release();
    }
  }
  tree.close();
  expect(readdirSync(canary)).toEqual([]);
  expect(attacker.exitCode).toBeNull();
  // Otherwise there was no race: the folder, the link in its place, and neither of them must all have been met.
  expect(written).toBeGreaterThan(writes / 100);
  expect([...refused.keys()]).toEqual(expect.arrayContaining(["ABSENT", "PATH_SYMLINK"]));
});

test("a careful write by paths does leave the root in the same race", () => {
  for (let index = 0; index < triesMax && readdirSync(canary).length === 0; index++) {
    try {
      writeChecked("d", `x${index % 10}`);
    } catch {
      // The folder was missing, or the check saw the link: correctly refused.
    }
  }
  expect(readdirSync(canary)).not.toEqual([]);
});

/** Replaces a file as we do, walking to it from the root, but without the syncs. */
function replace(tree: Tree, path: string): void {
  const isReplaced = tree.withParent(path, ({ folder, name }) => {
    const temporary = tree.files.open(folder, `.${name}`, "create");
    tree.files.write(temporary, new TextEncoder().encode("inside"));
    tree.files.close(temporary);
    tree.files.rename(folder, `.${name}`, folder, name);
    return true;
  });
  if (!isReplaced) throw Object.assign(new Error("its folder is away"), { code: "ABSENT" });
}

/** The usual approach: resolve the folder, check that it is inside, write. */
function writeChecked(folder: string, name: string): void {
  const path = join(workspace, folder, name);
  const parent = realpathSync(join(workspace, folder));
  if (!parent.startsWith(`${workspace}/`)) throw new Error(`${parent} is outside`);
  writeFileSync(path, "outside");
}
