/** `cox apply` as people and scripts see it: output, exit codes, JSON. */
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { create, edit, remove, replyOf } from "../bad-inputs/row.ts";
import { folderWith } from "./folder.ts";
import { cox } from "./program.ts";
import { snapshot } from "./snapshot.ts";

const good = replyOf(create("docs/new.md", "# New\n\ntext\n"), edit("a.txt", ["one", "two"]));

test("a good reply is shown, applied, verified and summed up", async () => {
  const cwd = folderWith({ "a.txt": "one\n", "reply.md": good });
  const { exitCode, stdout, stderr } = await cox(["apply", "reply.md"], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain("+ create docs/new.md  12 B  +3\n    Make this file here\n");
  expect(stdout).toContain("~ edit   a.txt        4 B → 4 B  +1  −1\n");
  expect(stdout).toMatch(/✓ 2 of 2 files on disk, read back · changeset (\w+) · undo: cox undo \1\n$/);
  expect(readFileSync(join(cwd, "docs/new.md"), "utf8")).toBe("# New\n\ntext\n");
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("two\n");
});

test("cox apply reads a reply from stdin, with a dash or without", async () => {
  for (const args of [["apply"], ["apply", "-"]]) {
    const cwd = folderWith({ "a.txt": "one\n" });
    expect((await cox(args, { cwd, stdin: good })).exitCode).toBe(0);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("two\n");
  }
});

test("every mistake of a refused reply is reported, and it changes nothing and leaves no trace", async () => {
  const cwd = folderWith({ "a.txt": "one\n" });
  const before = snapshot(cwd);
  const bad = replyOf(create("fine.txt"), create("../x"), edit("a.txt", ["nine", "ten"]));
  const { exitCode, stdout, stderr } = await cox(["apply"], { cwd, stdin: bad });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(/^✗ PATH_DOTDOT {2}file_operations\[1\], \.\.\/x\n {4}.+\n {4}.+\n/);
  expect(stderr).toMatch(/✗ OPS_FIND_NOT_FOUND {2}file_operations\[2\], a\.txt, edits\[0\]\.old_string\n/);
  expect(stderr).toMatch(/reply refused, nothing was changed \(2 problems\)\n$/);
  expect(snapshot(cwd)).toEqual(before);
  expect(existsSync(join(cwd, ".coxswain"))).toBe(false);
});

test("new files get the mode that the user's umask gives, edited ones keep theirs", async () => {
  const cwd = folderWith({ "a.txt": "one\n" });
  chmodSync(join(cwd, "a.txt"), 0o755);
  const stdin = replyOf(edit("a.txt", ["one", "two"]), create("b.txt"));
  const before = process.umask(0o077);
  const { exitCode } = await cox(["apply"], { cwd, stdin }).finally(() => process.umask(before));
  expect(exitCode).toBe(0);
  expect(statSync(join(cwd, "a.txt")).mode & 0o777).toBe(0o755);
  expect(statSync(join(cwd, "b.txt")).mode & 0o777).toBe(0o600);
});

test("a dry run shows the difference, asks nothing and leaves no trace", async () => {
  const cwd = folderWith({ "a.txt": "one\n", "gone.txt": "bye\n" });
  const before = snapshot(cwd);
  const stdin = replyOf(edit("a.txt", ["one", "two"]), remove("gone.txt"));
  const { exitCode, stdout, stderr } = await cox(["apply", "--dry-run"], { cwd, stdin });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n");
  expect(stdout).toContain("--- a/gone.txt\n+++ /dev/null\n");
  expect(stderr).toContain("! CONFIRM_DELETE  file_operations[1], gone.txt");
  expect(stderr).toContain("dry run, nothing was changed (would ask for 1 confirmation)");
  expect(snapshot(cwd)).toEqual(before);
  expect(existsSync(join(cwd, ".coxswain"))).toBe(false);
});

test("without a terminal cox apply does not ask for confirmation: exit 3, nothing changed, and --yes is named", async () => {
  const cwd = folderWith({ "gone.txt": "bye\n" });
  const stdin = replyOf(create("new.txt"), remove("gone.txt"));
  const { exitCode, stderr } = await cox(["apply"], { cwd, stdin });
  expect(exitCode).toBe(3);
  expect(stderr).toContain("1 confirmation needed, nothing was changed");
  expect(stderr).toContain("--yes");
  expect(Object.keys(snapshot(cwd))).toEqual(["gone.txt"]);
  expect(progressIn(cwd)).toMatch(
    /⚠️ DELETE REQUESTED: gone\.txt \(4 B\)[\s\S]*there is no terminal to ask in[\s\S]*confirm-deletes: declared\)\n\*\*Content preview\*\* \(1 line\):\n\n {4}bye\n/,
  );
});

function progressIn(cwd: string): string {
  return readFileSync(join(cwd, ".coxswain/changesets/progress.md"), "utf8");
}

test("--yes confirms what would be asked, and nothing that is refused", async () => {
  const cwd = folderWith({ "gone.txt": "bye\n" });
  const stdin = replyOf(remove("gone.txt"), create(".github/workflows/x.yml"));
  expect((await cox(["apply", "--yes"], { cwd, stdin })).exitCode).toBe(0);
  expect(existsSync(join(cwd, "gone.txt"))).toBe(false);
  expect(progressIn(cwd)).toMatch(
    /DELETE REQUESTED: gone\.txt[\s\S]*yes, by a person[\s\S]* {4}bye[\s\S]*✅ delete gone\.txt[\s\S]*Verified: gone from disk/,
  );
  expect((await cox(["apply", "--yes"], { cwd, stdin: replyOf(create(".env")) })).exitCode).toBe(1);
});

test.each([
  ["always-allow", 0],
  ["ask", 3],
  ["declared", 3],
  ["never", 1],
])("--confirm-deletes %s ends a delete with exit %d", async (when, code) => {
  const cwd = folderWith({ "gone.txt": "bye\n" });
  const args = ["apply", "--confirm-deletes", when];
  expect((await cox(args, { cwd, stdin: replyOf(remove("gone.txt")) })).exitCode).toBe(code);
  expect(existsSync(join(cwd, "gone.txt"))).toBe(code !== 0);
});

test("a reply with the same id is applied once, and the second time cox apply says so", async () => {
  const cwd = folderWith();
  const args = ["apply", "--id", "turn-1", "--json"];
  const stdin = replyOf(create("a.txt"));
  expect((await cox(args, { cwd, stdin })).exitCode).toBe(0);
  const again = await cox(args, { cwd, stdin });
  expect(again.exitCode).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    ok: true,
    applied: 0,
    changeset: "turn-1",
    warnings: [{ code: "TXN_DUPLICATE" }],
    errors: [],
  });
});

test("-C makes cox start in another folder, --root makes it change another folder", async () => {
  const cwd = folderWith({ "in/reply.md": replyOf(create("a.txt")), "root/x": "" });
  expect((await cox(["-C", "in", "apply", "reply.md", "--root", "../root"], { cwd })).exitCode).toBe(0);
  expect(existsSync(join(cwd, "root/a.txt"))).toBe(true);
});

test("the JSON of an applied reply has every key, and hashes and previews of the files on disk", async () => {
  const cwd = folderWith({ "a.txt": "one\n" });
  const { stdout } = await cox(["apply", "--json"], { cwd, stdin: good });
  const document = JSON.parse(stdout);
  expect(document).toEqual({
    ok: true,
    applied: 2,
    changeset: expect.stringMatching(/^\w{6}$/),
    operations: [
      {
        index: 0,
        operation: "create",
        path: "docs/new.md",
        status: "applied",
        bytes: 12,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        preview: ["# New", "", "text"],
      },
      expect.objectContaining({ index: 1, operation: "edit", path: "a.txt", status: "applied", bytes: 4 }),
    ],
    warnings: [],
    errors: [],
  });
});

test("the JSON of a refused reply names the operation, its path, the mistake and what to do", async () => {
  const cwd = folderWith();
  const { stdout } = await cox(["apply", "--json"], { cwd, stdin: replyOf(create("a.txt"), create("../x")) });
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    applied: 0,
    changeset: null,
    operations: [
      expect.objectContaining({ index: 0, path: "a.txt", status: "skipped" }),
      expect.objectContaining({
        index: 1,
        path: "../x",
        status: "refused",
        bytes: null,
        sha256: null,
        preview: null,
      }),
    ],
    warnings: [],
    errors: [
      {
        code: "PATH_DOTDOT",
        index: 1,
        path: "../x",
        message: expect.stringMatching(/./),
        hint: expect.stringMatching(/./),
      },
    ],
  });
});

const nothing = { ok: false, applied: 0, changeset: null, operations: [], warnings: [] };

test.each([
  ["a missing file", ["apply", "nowhere.md", "--json"], 2, "INPUT_MISSING"],
  ["a folder as the reply", ["apply", ".", "--json"], 2, "INPUT_UNREADABLE"],
  ["an unknown option", ["apply", "--jso", "--json"], 2, "USAGE_UNKNOWN_OPTION"],
  ["a bad id", ["apply", "--id", "../x", "--json"], 2, "USAGE"],
  ["a folder that is not there", ["apply", "-C", "nowhere", "--json"], 2, "USAGE"],
  ["a root that is not there", ["apply", "--root", "nowhere", "--json"], 5, "ROOT_GONE"],
  ["an empty reply", ["apply", "--json", "empty.md"], 1, "EXTRACT_NONE"],
])("%s still gives one JSON document and an honest exit code", async (_what, args, code, error) => {
  const cwd = folderWith({ "empty.md": "" });
  const { exitCode, stdout, stderr } = await cox(args, { cwd, stdin: replyOf(create("a.txt")) });
  expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ ...nothing, errors: [{ code: error, index: null }] });
});

test("a reply that waits for confirmation gives one JSON document too", async () => {
  const cwd = folderWith({ "gone.txt": "bye\n" });
  const { exitCode, stdout, stderr } = await cox(["apply", "--json"], {
    cwd,
    stdin: replyOf(remove("gone.txt")),
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    operations: [{ status: "planned", bytes: null, sha256: null }],
    errors: [{ code: "CONFIRM_DELETE", index: 0, path: "gone.txt" }],
  });
});

test("an unknown command is exit 2, with what to type", async () => {
  const { exitCode, stderr } = await cox(["aply"], { cwd: folderWith() });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: '✗ USAGE_UNKNOWN_COMMAND\n    there is no command "aply"\n    Did you mean: cox apply\n',
  });
});

test("colours come when forced, and not when forbidden", async () => {
  const run = (args: readonly string[], env: Record<string, string>) =>
    cox(["apply", ...args], { cwd: folderWith(), stdin: replyOf(create("a.txt")), env });
  expect((await run([], { FORCE_COLOR: "1" })).stdout).toContain("\u001b[32m");
  expect((await run([], {})).stdout).not.toContain("\u001b");
  expect((await run([], { FORCE_COLOR: "1", NO_COLOR: "1" })).stdout).not.toContain("\u001b");
  expect((await run(["--no-color"], { FORCE_COLOR: "1" })).stdout).not.toContain("\u001b");
});

test("a reply that is cut off anywhere is not applied, not even in part", async () => {
  const reply = JSON.stringify(JSON.parse(good.split("```json\n")[1]?.split("\n```")[0] ?? ""));
  for (const share of [0.1, 0.5, 0.9, 0.999]) {
    const cwd = folderWith({ "a.txt": "one\n" });
    const { exitCode } = await cox(["apply"], {
      cwd,
      stdin: reply.slice(0, Math.floor(reply.length * share)),
    });
    expect(exitCode).toBe(1);
    expect(Object.keys(snapshot(cwd))).toEqual(["a.txt"]);
  }
});
