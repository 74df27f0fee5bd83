import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFiles } from "../../world/files/choose-files.ts";
import { DeskLook } from "./desk-look.ts";
import { searchDesk } from "./desk-search.ts";

let folder: string;
let desk: DeskLook;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cox-look-"));
  write("outside/secret.txt", "nobody may read this\n");
  write("desk/src/a.ts", "one\ntwo\nthree\n");
  write("desk/src/deep/b.ts", "Two more\n");
  write("desk/README.md", "# Read me\n");
  write("desk/.git/config", "two\n");
  write("desk/.env", "TWO=two\n");
  write("desk/node_modules/x/index.js", "two\n");
  symlinkSync(join(folder, "outside"), join(folder, "desk/away"));
  symlinkSync("../outside/secret.txt", join(folder, "desk/link.txt"));
  symlinkSync("src", join(folder, "desk/inside"));
  desk = new DeskLook(openFiles(), join(folder, "desk"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

const read = (path: string, from?: number, to?: number) =>
  desk.read({ path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) });

test("a bare model reads a whole file or some lines of it", () => {
  expect(read("src/a.ts")).toEqual({ seen: "src/a.ts (3 lines):\none\ntwo\nthree" });
  expect(read("./src//a.ts", 2, 2)).toEqual({ seen: "src/a.ts (lines 2 to 2 of 3):\ntwo" });
  expect(read(join(folder, "desk/src/a.ts"), 3)).toEqual({ seen: "src/a.ts (lines 3 to 3 of 3):\nthree" });
  expect(read("src/a.ts", 9)).toEqual({ seen: "src/a.ts (lines 4 to 3 of 3):" });
  write("desk/empty", "");
  expect(read("empty")).toEqual({ seen: "empty (0 lines):" });
});

test.each([
  ["../outside/secret.txt", "PATH_DOTDOT"],
  ["src/../../outside/secret.txt", "PATH_DOTDOT"],
  ["/etc/passwd", "PATH_ABSOLUTE"],
  ["away/secret.txt", "PATH_SYMLINK"],
  ["link.txt", "PATH_SYMLINK"],
  ["inside/a.ts", "PATH_SYMLINK"],
  [".git/config", "PATH_PROTECTED"],
  [".GIT/config", "PATH_PROTECTED"],
  ["node_modules/x/index.js", "PATH_PROTECTED"],
  [".env", "PATH_SECRET"],
  ["src", "PATH_IS_DIRECTORY"],
  ["src/a.ts/b", "PATH_NOT_DIRECTORY"],
  ["", "PATH_EMPTY"],
  ["src/a.ts\u0000", "PATH_NUL"],
  ["no/such.ts", "PATH_NOT_FOUND"],
])("a bare model cannot read %j: %s", (path, code) => {
  expect(read(path)).toMatchObject({ problem: { code, hint: expect.any(String) } });
});

test("a bare model cannot read a binary file, and reads only a part of a long one", () => {
  write("desk/binary", new Uint8Array([0, 1, 2]));
  write("desk/latin1", new Uint8Array([0xe4, 0x0a]));
  write("desk/huge", "x".repeat(5_000_000));
  write("desk/long", "line of text\n".repeat(20_000));
  write("desk/wide", `${"x".repeat(10_000)}\nend\n`);
  expect(read("binary")).toMatchObject({ problem: { code: "CONTENT_BINARY" } });
  expect(read("latin1")).toMatchObject({ problem: { code: "CONTENT_BINARY" } });
  expect(read("huge")).toMatchObject({ problem: { code: "LIMIT_FILE" } });
  const long = read("long");
  expect("seen" in long && long.seen.length).toBeLessThan(61_000);
  expect(long).toMatchObject({ seen: expect.stringMatching(/^long \(lines 1 to 4615 of 20,000\):/) });
  expect(read("long", 19_999)).toMatchObject({ seen: expect.stringMatching(/lines 19999 to 20000/) });
  expect(read("wide")).toMatchObject({
    seen: expect.stringMatching(/8,000 more characters in this line\)\nend$/),
  });
});

test("a bare model's listing follows no link, and leaves out files that it cannot read", () => {
  const all = { paths: ["README.md", "src/a.ts", "src/deep/b.ts"], isCut: false };
  for (const folder of ["", ".", "./", undefined])
    expect(desk.list({ ...(folder !== undefined && { folder }) })).toEqual({ seen: all });
  expect(desk.list({ folder: join(folder, "desk") })).toEqual({ seen: all });
  expect(desk.list({ folder: "src/deep/" })).toMatchObject({ seen: { paths: ["src/deep/b.ts"] } });
  expect(desk.list({ pattern: "**/*.md" })).toMatchObject({ seen: { paths: ["README.md"] } });
});

test.each([
  ["..", "PATH_DOTDOT"],
  ["/", "PATH_ABSOLUTE"],
  ["away", "PATH_SYMLINK"],
  ["inside", "PATH_SYMLINK"],
  [".git", "PATH_PROTECTED"],
  ["lost", "PATH_NOT_FOUND"],
  ["README.md", "PATH_NOT_DIRECTORY"],
])("a bare model cannot list the folder %j: %s", (folder, code) => {
  expect(desk.list({ folder })).toMatchObject({ problem: { code } });
});

test("a bare model's search finds lines in readable files only", async () => {
  expect(await searchDesk(desk, { text: "two" })).toEqual({ seen: "1 line found:\nsrc/a.ts:2: two" });
  expect(await searchDesk(desk, { text: "TWO", ignoreCase: true })).toEqual({
    seen: "2 lines found:\nsrc/a.ts:2: two\nsrc/deep/b.ts:1: Two more",
  });
  expect(await searchDesk(desk, { text: "nobody" })).toEqual({ seen: "0 lines found." });
  expect(await searchDesk(desk, { text: "t.*", folder: "src" })).toEqual({ seen: "0 lines found." });
  expect(await searchDesk(desk, { text: "two", folder: "../outside" })).toMatchObject({
    problem: { code: "PATH_DOTDOT" },
  });
});

test("a bare model's search matches a regular expression line by line", async () => {
  const found = await searchDesk(desk, { text: "^t\\w+$", isRegex: true });
  expect(found).toEqual({ seen: "2 lines found:\nsrc/a.ts:2: two\nsrc/a.ts:3: three" });
  expect(await searchDesk(desk, { text: "^T", isRegex: true, pattern: "src/**/*.ts" })).toEqual({
    seen: "1 line found:\nsrc/deep/b.ts:1: Two more",
  });
});

test.each([
  ["(", "SEARCH_EXPRESSION"],
  ["", "SEARCH_TEXT"],
  ["x".repeat(600), "SEARCH_TEXT"],
  ["^(a+)+$", "SEARCH_SLOW"],
])("a bare model's search refuses the expression %j: %s", async (text, code) => {
  write("desk/slow.txt", `${"a".repeat(60)}!\n`);
  expect(await searchDesk(desk, { text, isRegex: true })).toMatchObject({ problem: { code } });
});

test("a bare model's search shows some of many lines, and none of them can move the cursor", async () => {
  write("desk/many.txt", "needle \u001b[2J\n".repeat(1_000));
  for (let at = 0; at < 10; at++) write(`desk/many/${at}.txt`, "needle\n".repeat(100));
  const found = await searchDesk(desk, { text: "needle" });
  const lines = "seen" in found ? found.seen.split("\n") : [];
  expect(lines).toHaveLength(201);
  expect(lines[0]).toContain("there are more");
  expect(lines.join("")).not.toContain("\u001b");
});
