import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Change, Image, Sha256 } from "../change/change.ts";
import type { TreePath } from "../change/path.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import type { Files } from "../world/files/files.ts";
import { sha256 } from "../world/files/hash.ts";
import { nodeFiles } from "../world/files/node-files.ts";
import { Changesets } from "./changesets.ts";
import type { Proposal } from "./proposal.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cox-changesets-"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test("an applied changeset is on disk, with its folders", async () => {
  const cs = await open();
  expect(await cs.apply(proposal("one", { "a/b/c.txt": [undefined, "new"] }))).toEqual({
    outcome: "applied",
    id: "one",
    files: 1,
  });
  expect(read("a/b/c.txt")).toBe("new");
  expect(statSync(join(root, "a/b/c.txt")).nlink).toBe(1);
  cs.close();
});

test("apply then undo leaves the tree as it was, modes and new folders included", async () => {
  writeFileSync(join(root, "run.sh"), "echo 1\n");
  chmodSync(join(root, "run.sh"), 0o755);
  writeFileSync(join(root, "old.txt"), "old");
  const cs = await open();
  const outcome = await cs.apply(
    proposal("one", {
      "run.sh": ["echo 1\n", "echo 2\n", 0o755],
      "old.txt": ["old", undefined],
      "new/deep/x.txt": [undefined, "x"],
    }),
  );
  expect(outcome).toMatchObject({ outcome: "applied", files: 3 });
  expect(read("run.sh")).toBe("echo 2\n");
  expect(statSync(join(root, "run.sh")).mode & 0o777).toBe(0o755);
  expect(existsSync(join(root, "old.txt"))).toBe(false);

  expect(await cs.undo()).toMatchObject({ outcome: "applied", files: 3 });
  expect(read("run.sh")).toBe("echo 1\n");
  expect(statSync(join(root, "run.sh")).mode & 0o777).toBe(0o755);
  expect(read("old.txt")).toBe("old");
  expect(existsSync(join(root, "new"))).toBe(false);
  expect(await cs.undo()).toMatchObject({ outcome: "refused", problems: [{ code: "UNDO_NOTHING" }] });
  expect(await cs.undo("one")).toMatchObject({ outcome: "refused", problems: [{ code: "UNDO_ALREADY" }] });
  cs.close();
});

test("an undo names every file that is no longer as the changeset left it, and changes none", async () => {
  const cs = await open();
  await cs.apply(
    proposal("one", { "a.txt": [undefined, "a"], "b.txt": [undefined, "b"], "c.txt": [undefined, "c"] }),
  );
  writeFileSync(join(root, "a.txt"), "mine");
  rmSync(join(root, "b.txt"));
  const outcome = await cs.undo("one");
  expect(outcome).toMatchObject({
    outcome: "refused",
    problems: [
      { code: "UNDO_CHANGED", path: "a.txt" },
      { code: "UNDO_CHANGED", path: "b.txt" },
    ],
  });
  expect(read("c.txt")).toBe("c");
  cs.close();
});

test("an undo can be undone", async () => {
  const cs = await open();
  await cs.apply(proposal("one", { "a.txt": [undefined, "a"] }));
  const undone = await cs.undo("one");
  expect(existsSync(join(root, "a.txt"))).toBe(false);
  if (undone.outcome !== "applied") throw new Error("the undo was refused");
  expect(await cs.undo(undone.id)).toMatchObject({ outcome: "applied" });
  expect(read("a.txt")).toBe("a");
  expect(cs.history().map(({ state }) => state)).toEqual(["applied", "undone", "applied"]);
  cs.close();
});

test("a changeset id that was already applied is recognised, and nothing is applied twice", async () => {
  const cs = await open();
  await cs.apply(proposal("one", { "a.txt": [undefined, "a"] }));
  expect(await cs.apply(proposal("one", { "b.txt": [undefined, "b"] }))).toEqual({
    outcome: "duplicate",
    id: "one",
  });
  expect(existsSync(join(root, "b.txt"))).toBe(false);
  cs.close();
});

test("a changeset is refused as a whole if a file changed since it was read", async () => {
  writeFileSync(join(root, "a.txt"), "theirs");
  const cs = await open();
  const outcome = await cs.apply(proposal("one", { "b.txt": [undefined, "b"], "a.txt": ["ours", "new"] }));
  const message = expect.stringContaining("found 6 bytes");
  expect(outcome).toMatchObject({
    outcome: "refused",
    problems: [{ code: "TXN_CONFLICT", path: "a.txt", message }],
  });
  expect(existsSync(join(root, "b.txt"))).toBe(false);
  expect(read("a.txt")).toBe("theirs");
  expect(cs.history()).toEqual([]);
  cs.close();
});

test("two files of the same content do not become one file", async () => {
  const cs = await open();
  await cs.apply(proposal("one", { "a.txt": [undefined, "same"], "b.txt": [undefined, "same"] }));
  writeFileSync(join(root, "a.txt"), "changed");
  expect(read("b.txt")).toBe("same");
  cs.close();
});

test("an edit of a hard-linked file leaves the other name's bytes alone", async () => {
  const outside = mkdtempSync(join(tmpdir(), "cox-outside-"));
  writeFileSync(join(outside, "h"), "shared");
  const { linkSync } = await import("node:fs");
  linkSync(join(outside, "h"), join(root, "h"));
  const cs = await open();
  expect(await cs.apply(proposal("one", { h: ["shared", "ours"] }))).toMatchObject({ outcome: "applied" });
  expect(readFileSync(join(outside, "h"), "utf8")).toBe("shared");
  cs.close();
  rmSync(outside, { recursive: true });
});

test("a second process waits for the changeset lock and is told who holds it", async () => {
  const cs = await open();
  await expect(open(0)).rejects.toMatchObject({ code: "LOCK_HELD", holder: `process ${process.pid}` });
  cs.close();
  (await open(0)).close();
});

test("LOG-09 a changeset that was begun and whose image is gone stops the next start, which names both", async () => {
  await killPlacing("a.txt", proposal("one", { "a.txt": [undefined, "new"] }));
  rmSync(join(root, ".coxswain/changesets/one/after/0"));
  await expect(open()).rejects.toMatchObject({
    code: "TXN_BLOB_MISSING",
    message: expect.stringMatching(/ new a\.txt is missing .* \(\.coxswain\/changesets\/one\/after\/0\)$/),
  });
  expect(existsSync(join(root, "a.txt"))).toBe(false);
  // Everything was undone and the damage was reported, so the next open succeeds.
  (await open(0)).close();
});

test("a file that changed in the stage after a kill is not placed over the user's, and the rest is taken back", async () => {
  writeFileSync(join(root, "a.txt"), "old a");
  writeFileSync(join(root, "b.txt"), "old b");
  await killPlacing("b.txt", proposal("one", { "a.txt": ["old a", "new a"], "b.txt": ["old b", "new b"] }));
  expect(read("a.txt")).toBe("new a");
  writeFileSync(join(root, ".coxswain/changesets/one/after/1"), "bad b");
  const hint = expect.stringContaining("Make the change again");
  await expect(open()).rejects.toMatchObject({ problem: { code: "TXN_BLOB_MISSING", path: "b.txt", hint } });
  expect([read("a.txt"), read("b.txt")]).toEqual(["old a", "old b"]);
  const cs = await open(0);
  expect(cs.history()).toMatchObject([{ id: "one", state: "taken back" }]);
  cs.close();
});

test("while a conflict with the user's file lasts, its earlier version is kept, reported, and cleared with the old ones", async () => {
  writeFileSync(join(root, "a.txt"), "old a");
  writeFileSync(join(root, "b.txt"), "old b");
  const one = proposal("one", { "a.txt": ["old a", "new a"], "b.txt": ["old b", "new b"] });
  await killPlacing("b.txt", one);
  writeFileSync(join(root, "b.txt"), "theirs");
  const saved = join(root, ".coxswain/changesets/one/before");
  const cs = await open();
  expect(cs.recovered).toMatchObject([{ id: "one", outcome: "taken back", left: ["b.txt"] }]);
  expect([read("a.txt"), read("b.txt")]).toEqual(["old a", "theirs"]);
  expect(readFileSync(saved, "utf8")).toBe("old aold b");
  expect(await cs.apply(one)).toMatchObject({ problems: [{ code: "TXN_LEFT_ALONE" }] });
  cs.close();

  const again = await open(0);
  expect(existsSync(saved)).toBe(true);
  expect(again.clear({ keep: 0, before: now + 1 })).toMatchObject([{ id: "one", bytes: 10 }]);
  again.close();
  (await open(0)).close();
  expect(existsSync(join(root, ".coxswain/changesets/one"))).toBe(false);
});

test("the notice about a file that was left alone says how to see its earlier version", async () => {
  writeFileSync(join(root, "a.txt"), "old a");
  writeFileSync(join(root, "b.txt"), "old b");
  const real = nodeFiles();
  const saving: Files = Object.assign(Object.create(real), {
    rename: (...[from, name, to, newName]: Parameters<Files["rename"]>) => {
      real.rename(from, name, to, newName);
      if (newName === "a.txt") writeFileSync(join(root, "b.txt"), "theirs");
    },
  });
  const cs = await open(undefined, saving);
  const outcome = await cs.apply(
    proposal("one", { "a.txt": ["old a", "new a"], "b.txt": ["old b", "new b"] }),
  );
  const hint = expect.stringMatching(/ tail -c \+6 \.coxswain\/changesets\/one\/before \| head -c 5$/);
  expect(outcome).toMatchObject({ problems: [{ code: "TXN_CONFLICT" }, { code: "TXN_LEFT_ALONE", hint }] });
  cs.close();
});

test("a changeset whose saved files are damaged is not undone, and stays listed as applied", async () => {
  writeFileSync(join(root, "a.txt"), "old a");
  const cs = await open();
  await cs.apply(proposal("one", { "a.txt": ["old a", "new a"] }));
  writeFileSync(join(root, ".coxswain/changesets/one/before"), "bad a");
  expect(await cs.undo()).toMatchObject({
    outcome: "refused",
    problems: [
      { code: "TXN_BLOB_MISSING", path: "a.txt", hint: expect.stringContaining("git log -- a.txt") },
    ],
  });
  writeFileSync(join(root, ".coxswain/changesets/one/manifest.json"), "{}");
  expect(await cs.undo()).toMatchObject({ problems: [{ code: "TXN_BLOB_MISSING" }] });
  expect(cs.history()).toMatchObject([{ id: "one", state: "applied", operations: [] }]);
  expect(read("a.txt")).toBe("new a");
  cs.close();
});

test("a missing root folder is named in the problem", async () => {
  rmSync(root, { recursive: true });
  await expect(open()).rejects.toMatchObject({ code: "ROOT_GONE" });
});

test("git ignores the changeset folder, and it has a log for people", async () => {
  mkdirSync(join(root, "src"));
  const cs = await open();
  await cs.apply(proposal("one", { "src/a.txt": [undefined, "a".repeat(2300)] }));
  expect(read(".coxswain/changesets/.gitignore")).toBe("*\n");
  const progress = read(".coxswain/changesets/progress.md");
  expect(progress).toContain("1. ✅ create src/a.txt (2.3 KB)");
  expect(progress).toContain("**Summary**: 1/1 operations successful, 0 failed");
  expect(cs.figures()).toEqual({
    changesets: 1,
    promised: 1,
    persisted: 1,
    takenBack: 0,
    verificationFailures: 0,
  });
  cs.close();
});

type Step = readonly [before: string | undefined, after: string | undefined, mode?: number];

const now = 1_700_000_000_000;

test("the files kept for undoing old changesets are cleared except for the newest; the changesets stay listed", async () => {
  writeFileSync(join(root, "a.txt"), "0");
  const cs = await open();
  for (const [at, id] of ["one", "two", "three"].entries())
    await cs.apply(proposal(id, { "a.txt": [`${at}`, `${at + 1}`], [`new-${id}.txt`]: [undefined, id] }));
  expect(cs.clear({ keep: 0, before: now })).toEqual([]);
  expect(cs.clear({ keep: 3, before: now + 1 })).toEqual([]);
  const at = new Date(now).toISOString();
  expect(cs.clear({ keep: 1, before: now + 1 })).toEqual([
    { id: "one", at, bytes: 1 },
    { id: "two", at, bytes: 1 },
  ]);
  cs.close();

  const again = await open();
  expect(again.clear({ keep: 1, before: now + 1 })).toEqual([]);
  expect(again.history().map(({ id, state, cleared }) => [id, state, cleared ?? false])).toEqual([
    ["one", "applied", true],
    ["two", "applied", true],
    ["three", "applied", false],
  ]);
  expect(await again.undo("one")).toMatchObject({ problems: [{ code: "UNDO_CLEARED" }] });
  expect(await again.undo()).toMatchObject({ outcome: "applied" });
  expect(read("a.txt")).toBe("2");
  expect(await again.undo()).toMatchObject({ problems: [{ code: "UNDO_CLEARED" }] });
  again.close();
});

test("a changeset that only created files needs no saved files, and can be undone at any age", async () => {
  const cs = await open();
  await cs.apply(proposal("one", { "a.txt": [undefined, "a"] }));
  expect(cs.clear({ keep: 0, before: now + 1 })).toEqual([]);
  expect(await cs.undo()).toMatchObject({ outcome: "applied" });
  cs.close();
});

test("saved files that a killed process recorded as cleared but did not remove are removed next time, and recorded once", async () => {
  writeFileSync(join(root, "a.txt"), "0");
  const cs = await open();
  await cs.apply(proposal("one", { "a.txt": ["0", "1"] }));
  const saved = join(root, ".coxswain/changesets/one/before");
  const bytes = readFileSync(saved);
  cs.clear({ keep: 0, before: now + 1 });
  expect(existsSync(saved)).toBe(false);
  writeFileSync(saved, bytes);
  expect(cs.clear({ keep: 0, before: now + 1 })).toHaveLength(1);
  expect(existsSync(saved)).toBe(false);
  cs.close();
  expect(read(".coxswain/changesets/ledger.jsonl").match(/changeset_cleared/g)).toHaveLength(1);
});

/** The process dies just before it places that file. */
async function killPlacing(path: string, wanted: Proposal): Promise<void> {
  const real = nodeFiles();
  const placing =
    (call: "link" | "rename") =>
    (...[from, name, to, newName]: Parameters<Files["rename"]>) => {
      if (newName === path) throw new Error("killed");
      real[call](from, name, to, newName);
    };
  const killed: Files = Object.assign(Object.create(real), {
    link: placing("link"),
    rename: placing("rename"),
  });
  const cs = await open(undefined, killed);
  await expect(cs.apply(wanted)).rejects.toThrow("killed");
  cs.close();
}

function open(waitMs?: number, files = nodeFiles()): Promise<Changesets> {
  let count = 0;
  const opening = {
    files,
    root,
    clock: { now: () => now, monotonicMs: () => 0 },
    chance: { id: () => `id${++count}` },
  };
  return Changesets.open(waitMs === undefined ? opening : { ...opening, waitMs });
}

function proposal(id: string, steps: Readonly<Record<string, Step>>): Proposal {
  const contents = new Map<Sha256, Uint8Array>();
  const image = (text: string | undefined, mode = 0o644): Image | undefined => {
    if (text === undefined) return undefined;
    const bytes = encodeUtf8(text);
    contents.set(sha256(bytes), bytes);
    return { sha256: sha256(bytes), size: bytes.length, mode };
  };
  const changes: Change[] = Object.entries(steps).map(([path, [before, after, mode]]) => {
    const pre = image(before, mode);
    const post = image(after, mode);
    return { path: path as TreePath, ...(pre && { pre }), ...(post && { post }) };
  });
  const operations = changes.map(({ path, post }, index) => ({
    index,
    operation: "create" as const,
    path,
    description: "a test of ours",
    ...(post && { bytes: post.size, sha256: post.sha256 }),
  }));
  return { id, changes, contents, about: { operations } };
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
