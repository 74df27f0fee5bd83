import fc from "fast-check";
import { expect, test } from "vitest";
import { BrokenClaim } from "../../src/std/assert.ts";
import { codeOf, filesContract } from "../../src/world/files/files.contract.ts";
import type { File, Files, Folder } from "../../src/world/files/files.ts";
import type { CrashMode } from "./crash-states.ts";
import { Crash, errno, TornWrite } from "./faults.ts";
import { type Call, ModelDisk, type Plain } from "./model-disk.ts";
import { modelFiles } from "./model-files.ts";

filesContract("the model", () => {
  const disk = ModelDisk.of({ "root/": "" });
  return {
    files: modelFiles(disk),
    other: modelFiles(disk),
    root: "/root",
    pinned: true,
    makeLink: (path, target) => disk.makeLink(path, target),
    tick: () => {},
    end: () => {},
  };
});

test("a file that was written and not synced may come back whole, in part, as zeros, empty, or not at all", () => {
  const { disk, files, root } = opened({});
  put(files, root, "new", "abcd");
  expect(texts(disk, "weak", "new")).toEqual(["", "\0\0\0\0", "ab", "ab\0\0", "abcd", undefined]);
  expect(texts(disk, "ordered", "new")).toEqual(["", "ab", "abcd", undefined]);
  expect(texts(disk, "kill", "new")).toEqual(["abcd"]);
});

test("a synced file without a synced folder is whole or has no name", () => {
  const { disk, files, root } = opened({});
  put(files, root, "new", "abcd", { sync: true });
  expect(texts(disk, "weak", "new")).toEqual(["abcd", undefined]);
});

test("a synced folder without a synced file has the name, with unpredictable content", () => {
  const { disk, files, root } = opened({});
  put(files, root, "new", "abcd");
  files.sync(root);
  expect(texts(disk, "weak", "new")).toEqual(["", "\0\0\0\0", "ab", "ab\0\0", "abcd"]);
});

test("a file and its folder synced are there in every case", () => {
  const { disk, files, root } = opened({});
  put(files, root, "new", "abcd", { sync: true });
  files.sync(root);
  for (const mode of modes) expect(texts(disk, mode, "new")).toEqual(["abcd"]);
  expect(disk.unsynced).toBe(0);
});

test("a folder is only as durable as the folders above it", () => {
  const { disk, files, root } = opened({});
  files.makeFolder(root, "src");
  const src = files.openFolder(root, "src");
  put(files, src, "new", "abcd", { sync: true });
  files.sync(src);
  expect(texts(disk, "weak", "src/new")).toEqual(["abcd", undefined]);
  files.sync(root);
  expect(texts(disk, "weak", "src/new")).toEqual(["abcd"]);
});

test("a rename over a file without syncs leaves the old or what became of the new, never a mixture", () => {
  const { disk, files, root } = opened({ file: "OLD!" });
  put(files, root, "temporary", "new!");
  files.rename(root, "temporary", root, "file");
  expect(texts(disk, "weak", "file")).toEqual(["", "\0\0\0\0", "OLD!", "ne", "ne\0\0", "new!"]);
});

test("a rename over a file after a sync of the new one leaves one of the two, whole", () => {
  const { disk, files, root } = opened({ file: "OLD!" });
  put(files, root, "temporary", "new!", { sync: true });
  files.rename(root, "temporary", root, "file");
  for (const mode of ["ordered", "weak"] as const)
    expect(texts(disk, mode, "file")).toEqual(["OLD!", "new!"]);
  files.sync(root);
  expect(texts(disk, "weak", "file")).toEqual(["new!"]);
});

test("a rename between folders may happen at one end only, unless order is kept", () => {
  const { disk, files, root } = opened({ "from/file": "x", "to/": "" });
  const from = files.openFolder(root, "from");
  const to = files.openFolder(root, "to");
  files.rename(from, "file", to, "file");
  const ends = (mode: CrashMode) =>
    states(disk, mode).map((state) => [state.text("from/file"), state.text("to/file")]);
  expect(ends("ordered")).toEqual([
    ["x", undefined],
    [undefined, "x"],
  ]);
  expect(ends("weak")).toHaveLength(4);
  files.sync(to);
  expect(texts(disk, "weak", "to/file")).toEqual(["x"]);
  expect(texts(disk, "weak", "from/file")).toEqual(["x", undefined]);
});

test("an unlink is undone by a crash until its folder is synced", () => {
  const { disk, files, root } = opened({ file: "x" });
  files.unlink(root, "file");
  expect(texts(disk, "weak", "file")).toEqual(["x", undefined]);
  files.sync(root);
  expect(texts(disk, "weak", "file")).toEqual([undefined]);
});

test("a mode is durable with the sync of its file", () => {
  const { disk, files, root } = opened({ file: "x" });
  const file = files.open(root, "file", "append");
  files.chmod(file, 0o755);
  const shown = () => states(disk, "weak").map((state) => modeOf(state, "file"));
  expect(shown().sort()).toEqual([0o644, 0o755]);
  files.sync(file);
  expect(shown()).toEqual([0o755]);
});

test("of two appends the second may survive alone, behind a gap of zeros", () => {
  const { disk, files, root } = opened({ log: "1" });
  const log = files.open(root, "log", "append");
  write(files, log, "2");
  write(files, log, "3");
  expect(texts(disk, "weak", "log")).toEqual(["1", "1\0", "1\0\0", "1\x003", "12", "12\0", "123"]);
  expect(texts(disk, "ordered", "log")).toEqual(["1", "12", "123"]);
});

test("a cut that was not synced may be lost though a later append was not", () => {
  const { disk, files, root } = opened({ log: "abcdef" });
  const log = files.open(root, "log", "append");
  files.truncate(log, 2);
  write(files, log, "X");
  expect(texts(disk, "weak", "log")).toContain("abXdef");
  expect(texts(disk, "ordered", "log")).toEqual(["ab", "abX", "abcdef"]);
});

test("after a kill every write is there, and still not durable", () => {
  const { disk, files, root } = opened({});
  put(files, root, "new", "abcd");
  const [killed] = states(disk, "kill");
  expect(killed?.text("new")).toBe("abcd");
  expect(texts(killed as ModelDisk, "weak", "new")).toContain(undefined);
});

test("everything that a power cut leaves is durable", () => {
  const { disk, files, root } = opened({});
  put(files, root, "new", "abcd");
  for (const state of states(disk, "weak")) expect(states(state, "weak")).toHaveLength(1);
});

test("a second sync after a failed one succeeds and saves nothing", () => {
  const { disk, files, root } = opened({ log: "1" });
  const log = files.open(root, "log", "append");
  write(files, log, "2");
  failAt(disk, "sync", errno("EIO"));
  expect(codeOf(() => files.sync(log))).toBe("EIO");
  disk.onCall = undefined;
  files.sync(log);
  expect(texts(disk, "weak", "log")).toContain("1");
  write(files, log, "3");
  files.sync(log);
  expect(texts(disk, "weak", "log")).toEqual(["1\x003", "123"]);
});

test("a torn write leaves its first bytes and fails", () => {
  const { disk, files, root } = opened({ log: "1" });
  const log = files.open(root, "log", "append");
  failAt(disk, "write", new TornWrite(2, errno("ENOSPC")));
  expect(codeOf(() => write(files, log, "abc"))).toBe("ENOSPC");
  expect(disk.text("log")).toBe("1ab");
});

test("a call that is made to fail changes nothing", () => {
  const { disk, files, root } = opened({ file: "x", "empty/": "" });
  const file = files.open(root, "file", "append");
  const before = disk.fingerprint();
  const calls: Record<Call, () => void> = {
    makeFolder: () => files.makeFolder(root, "new"),
    removeFolder: () => files.removeFolder(root, "empty"),
    open: () => files.open(root, "new", "create"),
    write: () => write(files, file, "y"),
    truncate: () => files.truncate(file, 0),
    chmod: () => files.chmod(file, 0),
    setModified: () => files.setModified(file, 0),
    link: () => files.link(root, "file", root, "new"),
    rename: () => files.rename(root, "file", root, "new"),
    unlink: () => files.unlink(root, "file"),
    sync: () => files.sync(file),
  };
  for (const [call, work] of Object.entries(calls)) {
    failAt(disk, call as Call, errno("EIO"));
    expect(codeOf(work), call).toBe("EIO");
    expect(disk.fingerprint(), call).toBe(before);
  }
  expect(disk.calls).toBe(Object.keys(calls).length + 1);
});

test("after a crash the dead process changes nothing more, not even in a finally block", async () => {
  const { disk, files, root } = opened({ file: "x" });
  const file = files.open(root, "file", "append");
  failAt(disk, "write", new TornWrite(1, new Crash("the end")));
  expect(() => write(files, file, "yz")).toThrow(Crash);
  disk.onCall = undefined;
  expect(() => files.unlink(root, "file")).toThrow(Crash);
  expect(() => files.read(file, 0, 1)).toThrow(Crash);
  await expect(files.syncAll([file])).rejects.toThrow(Crash);
  files.close(file);
  files.close(root);
  expect(disk.handles).toBe(0);
  expect(disk.text("file")).toBe("xy");
});

test("a crash frees every lock, and handles opened before it are refused", () => {
  const { disk, files, root } = opened({ lock: "" });
  expect(files.lock(files.open(root, "lock", "append"))).toBe(true);
  for (const mode of modes) {
    const [state] = states(disk, mode);
    const later = modelFiles(state as ModelDisk);
    const laterRoot = later.openRoot("/");
    expect(later.lock(later.open(laterRoot, "lock", "append"))).toBe(true);
    expect(() => later.list(root)).toThrow(BrokenClaim);
  }
});

test("syncAll reaches its handles in an order of the seed, and a crash leaves some synced, some not", async () => {
  const firsts = new Set<string>();
  for (let seed = 1; seed <= 20; seed++) {
    const { disk, files, root } = opened({ a: "", b: "", c: "" });
    disk.syncSeed = seed;
    const handles = written(files, root, ["a", "b", "c"]);
    let syncs = 0;
    disk.onCall = () => {
      if (syncs++ === 1) throw new Crash("in the middle");
    };
    await expect(files.syncAll(handles)).rejects.toThrow(Crash);
    expect(disk.unsynced).toBe(2);
    firsts.add(["a", "b", "c"].filter((name) => texts(disk, "weak", name).length === 1).join());
  }
  expect([...firsts].sort()).toEqual(["a", "b", "c"]);
});

test("syncAll reports a failed sync after it has synced all the others", async () => {
  const { disk, files, root } = opened({ a: "", b: "", c: "" });
  const handles = written(files, root, ["a", "b", "c"]);
  let syncs = 0;
  disk.onCall = () => {
    if (syncs++ === 0) throw errno("EIO");
  };
  await expect(files.syncAll(handles)).rejects.toMatchObject({ code: "EIO" });
  expect(disk.unsynced).toBe(1);
});

test("somebody else's edit is durable and no crash puts our older rename over it", () => {
  const { disk, files, root } = opened({ file: "old", temporary: "ours" });
  files.rename(root, "temporary", root, "file");
  disk.put("file", "theirs");
  expect(texts(disk, "weak", "file")).toEqual(["theirs"]);
  disk.remove("file");
  expect(texts(disk, "weak", "file")).toEqual([undefined]);
});

test("crash states are those of the moment they were asked for", () => {
  const { disk, files, root } = opened({});
  put(files, root, "one", "1");
  const asked = disk.crashStates("weak", { limit: 100, seed: 1 });
  put(files, root, "two", "2");
  expect([...asked].some((state) => state.text("two") !== undefined)).toBe(false);
});

test("a clone and its original go separate ways", () => {
  const { disk, files, root } = opened({ file: "x" });
  const clone = disk.clone();
  files.unlink(root, "file");
  const others = modelFiles(clone);
  put(others, others.openRoot("/"), "new", "y");
  expect([disk.text("file"), disk.text("new")]).toEqual([undefined, undefined]);
  expect([clone.text("file"), clone.text("new")]).toEqual(["x", "y"]);
});

test("when there are too many crash states, the extreme ones are always included and the seed chooses the rest", () => {
  const { disk, files, root } = opened({});
  const names = Array.from({ length: 30 }, (_, index) => `f${index}`);
  for (const name of names) put(files, root, name, "", { sync: true });
  const shown = (seed: number, limit: number) =>
    [...disk.crashStates("weak", { limit, seed })].map((state) => names.filter((name) => state.find(name)));
  const without = shown(1, 0);
  const counts = without.map((there) => there.length);
  expect(counts.filter((count) => count === 30)).toHaveLength(1);
  expect(counts.filter((count) => count === 0)).toHaveLength(1);
  expect(counts.filter((count) => count === 1)).toHaveLength(30);
  expect(counts.filter((count) => count === 29)).toHaveLength(30);
  expect(without).toHaveLength(62);
  expect(shown(1, 100)).toEqual(shown(1, 100));
  expect(shown(1, 100)).not.toEqual(shown(2, 100));
  expect(shown(1, 100).length).toBeGreaterThan(120);
});

test("a snapshot shows every file, and any two trees have different fingerprints", () => {
  const plain: Plain = { "a/b": "x", "run.sh": { mode: 0o755, text: "#!" }, "empty/": "" };
  const disk = ModelDisk.of(plain);
  disk.makeLink("link", "/a/b");
  expect([...disk.snapshot()]).toEqual([
    ["a", { kind: "folder" }],
    ["a/b", { kind: "file", mode: 0o644, bytes: new TextEncoder().encode("x") }],
    ["empty", { kind: "folder" }],
    ["link", { kind: "link", target: "/a/b" }],
    ["run.sh", { kind: "file", mode: 0o755, bytes: new TextEncoder().encode("#!") }],
  ]);
  const others: Plain[] = [
    { ...plain, "a/b": "y" },
    { ...plain, "a/c": "" },
    { ...plain, "run.sh": "#!" },
    { "a/b": "x", "run.sh": { mode: 0o755, text: "#!" } },
  ];
  const prints = [plain, ...others].map((one) => ModelDisk.of(one).fingerprint());
  expect(new Set(prints).size).toBe(prints.length);
  expect(ModelDisk.of(plain).fingerprint()).toBe(prints[0]);
  const omitted = ModelDisk.of({ ...plain, "a/c": "more" }).fingerprint((path) => path === "a");
  expect(omitted).toBe(ModelDisk.of(plain).fingerprint((path) => path === "a"));
});

test("after any calls, the weak crash states include the ordered ones, and a kill leaves the files as they were seen", () => {
  const name = fc.constantFrom("a", "b", "c");
  const step = fc.oneof(
    fc.tuple(fc.constant("put" as const), name, fc.constantFrom("x", "yy")),
    fc.tuple(fc.constantFrom("rename" as const, "link" as const), name, name),
    fc.tuple(fc.constantFrom("unlink" as const, "sync" as const), name, fc.constant("")),
    fc.tuple(fc.constant("syncFolder" as const), fc.constant(""), fc.constant("")),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 7 }), (steps) => {
      const { disk, files, root } = opened({ a: "A" });
      for (const [what, one, two] of steps) {
        try {
          if (what === "put") put(files, root, one, two);
          else if (what === "rename") files.rename(root, one, root, two);
          else if (what === "link") files.link(root, one, root, two);
          else if (what === "unlink") files.unlink(root, one);
          else if (what === "sync") files.sync(files.open(root, one, "read"));
          else files.sync(root);
        } catch (error) {
          expect(["ENOENT", "EEXIST"]).toContain((error as { code?: string }).code);
        }
      }
      const prints = (mode: CrashMode) => states(disk, mode).map((state) => state.fingerprint());
      const weak = new Set(prints("weak"));
      for (const ordered of prints("ordered")) expect(weak).toContain(ordered);
      expect(prints("ordered")).toContain(disk.fingerprint());
      expect(prints("kill")).toEqual([disk.fingerprint()]);
    }),
    { numRuns: 200, seed: 1 },
  );
});

const modes: readonly CrashMode[] = ["kill", "ordered", "weak"];

function opened(plain: Plain): { disk: ModelDisk; files: Files; root: Folder } {
  const disk = ModelDisk.of(plain);
  const files = modelFiles(disk);
  return { disk, files, root: files.openRoot("/") };
}

function put(files: Files, at: Folder, name: string, text: string, { sync = false } = {}): void {
  const file = files.open(at, name, "create");
  write(files, file, text);
  if (sync) files.sync(file);
  files.close(file);
}

function write(files: Files, file: File, text: string): void {
  files.write(file, new TextEncoder().encode(text));
}

/** Appends its own name to each file, and leaves it open. */
function written(files: Files, root: Folder, names: readonly string[]): File[] {
  return names.map((name) => {
    const file = files.open(root, name, "append");
    write(files, file, name);
    return file;
  });
}

function states(disk: ModelDisk, mode: CrashMode): ModelDisk[] {
  return [...disk.crashStates(mode, { limit: 20_000, seed: 1 })];
}

/** Every content that the file may have after the crash, sorted; `undefined` where it does not exist. */
function texts(disk: ModelDisk, mode: CrashMode, path: string): (string | undefined)[] {
  return [...new Set(states(disk, mode).map((state) => state.text(path)))].sort();
}

function modeOf(disk: ModelDisk, path: string): number | undefined {
  const entry = disk.snapshot().get(path);
  return entry?.kind === "file" ? entry.mode : undefined;
}

/** Makes every such call fail. */
function failAt(disk: ModelDisk, failing: Call, failure: Error): void {
  disk.onCall = (call) => {
    if (call === failing) throw failure;
  };
}
