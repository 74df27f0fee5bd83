import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeSetupStore } from "./node-setup-store.ts";

let root: string;
let one: string;
let other: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "cox-setups-")));
  one = checkout("one");
  other = checkout("other");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test("new files of a setup are put into the next checkout as they were: modes, links, times, beside existing files", async () => {
  const kept = await setUp(() => {
    write(one, "node_modules/.bin/tool", "#!/bin/sh", 0o755);
    write(one, "src/generated.ts", "made");
    write(one, "src/-odd name\n", "");
    symlinkSync("../src", join(one, "node_modules/src"));
    mkdirSync(join(one, "empty"));
  });
  expect(kept).toBe(true);
  expect(await restored()).toBe(true);
  expect(readdirSync(other).sort()).toEqual([".git", "empty", "node_modules", "src"]);
  expect(readdirSync(join(other, "src")).sort()).toEqual(["-odd name\n", "generated.ts", "main.ts"]);
  expect(readlinkSync(join(other, "node_modules/src"))).toBe("../src");
  const [before, after] = [one, other].map((folder) => lstatSync(join(folder, "node_modules/.bin/tool")));
  expect([after?.mode, after?.mtimeMs]).toEqual([before?.mode, before?.mtimeMs]);
  expect(readFileSync(join(other, ".git"), "utf8")).toBe("other");
});

test("without a kept setup nothing is restored", async () => {
  expect(await restored()).toBe(false);
});

test.each<[string, () => void]>([
  ["wrote to a file that was there", () => write(one, "src/main.ts", "changed")],
  [
    "replaced one",
    () => {
      write(one, "src/new", "of the tree");
      renameSync(join(one, "src/new"), join(one, "src/main.ts"));
    },
  ],
  ["removed one", () => rmSync(join(one, "src/main.ts"))],
  ["made one executable", () => chmodSync(join(one, "src/main.ts"), 0o755)],
])("a setup that %s is not kept: it has to be run each time", async (_, change) => {
  const kept = await setUp(() => {
    write(one, "new", "");
    change();
  });
  expect(kept).toBe(false);
  expect(await restored()).toBe(false);
});

test("a setup that left nothing in the folder works elsewhere, and is not kept", async () => {
  expect(await setUp(() => {})).toBe(false);
  expect(await setUp(() => write(one, ".git", "of the repository"))).toBe(false);
});

test.each<[string, () => void]>([
  ["a file", () => write(one, "venv/pip", `#!${one}/venv/python`)],
  [
    "a link",
    () => {
      mkdirSync(join(one, "venv"));
      symlinkSync(join(one, "src"), join(one, "venv/src"));
    },
  ],
])("a setup that mentions its folder in %s is used in that folder alone", async (_, change) => {
  expect(await setUp(change)).toBe(true);
  expect(await restored()).toBe(false);
  rmSync(join(one, "venv"), { recursive: true });
  expect(await store().restore({ key, folder: one })).toBe(true);
  expect(existsSync(join(one, "venv"))).toBe(true);
});

test("if a file of the tree is in the way, no file of the setup is restored", async () => {
  await setUp(() => {
    write(one, "dist/a", "made");
    write(one, "lib", "made");
  });
  write(other, "lib", "of the tree");
  expect(await restored()).toBe(false);
  expect(readdirSync(other).sort()).toEqual([".git", "lib", "src"]);
  expect(readFileSync(join(other, "lib"), "utf8")).toBe("of the tree");
});

test("restoring a setup writes nothing through a link of the tree", async () => {
  await setUp(() => write(one, "src/deep/made", "made"));
  rmSync(join(other, "src"), { recursive: true });
  mkdirSync(join(root, "outside"));
  symlinkSync(join(root, "outside"), join(other, "src"));
  expect(await restored()).toBe(false);
  expect(readdirSync(join(root, "outside"))).toEqual([]);
});

test("a half-kept setup is never found, and leaves nothing in the checkout", async () => {
  await setUp(() => write(one, "made", "made"));
  rmSync(join(root, "setups", key, "files"), { recursive: true });
  expect(await restored()).toBe(false);
  renameSync(join(root, "setups", key), join(root, "setups/making-x"));
  expect(await restored()).toBe(false);
  expect(readdirSync(other).sort()).toEqual([".git", "src"]);
});

test("of two processes that keep the same setup at once one wins, and nothing is left over", async () => {
  const [a, b] = await Promise.all([one, other].map((folder) => store().look(folder)));
  for (const folder of [one, other]) write(folder, "made", "made");
  await Promise.all([a?.keep(key), b?.keep(key)]);
  expect(readdirSync(join(root, "setups"))).toEqual([key]);
  rmSync(join(other, "made"));
  expect(await restored()).toBe(true);
});

const key = "0123abcd";
const store = () => nodeSetupStore(join(root, "setups"));
const restored = () => store().restore({ key, folder: other });

async function setUp(work: () => void): Promise<boolean> {
  const before = await store().look(one);
  work();
  return before.keep(key);
}

function checkout(name: string): string {
  const path = join(root, name);
  mkdirSync(join(path, "src"), { recursive: true });
  write(path, "src/main.ts", "of the tree");
  write(path, ".git", name);
  return path;
}

function write(folder: string, path: string, text: string, mode = 0o644): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text, { mode });
}
