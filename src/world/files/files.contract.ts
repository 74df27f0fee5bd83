/**
 * What every implementation of `Files` promises, written once and run by each: descriptors, paths, the model. `other`
 * is another user of the same disk, so the promises also cover what happens behind our back.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BrokenClaim } from "../../std/assert.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import type { File, Files, Folder } from "./files.ts";

export interface FilesWorld {
  readonly files: Files;
  /** A second instance on the same disk. */
  readonly other: Files;
  /** An empty folder. */
  readonly root: string;
  /** Makes a symbolic link, which the port cannot: `path` is absolute, below the root. */
  makeLink(path: string, target: string): void;
  /** Waits until the next write is sure to get a different time. */
  tick(): void;
  /** Whether an open folder stays usable after it is renamed. */
  readonly pinned: boolean;
  end(): void;
}

export function filesContract(name: string, make: () => FilesWorld): void {
  let world: FilesWorld;
  let files: Files;
  let other: Files;
  let root: Folder;
  let folder: Folder;

  /** Each test finds: `file` ("old"), `folder/inside` ("in"), `empty/`, `to-file`, `to-folder`, `dangling`. */
  beforeEach(() => {
    world = make();
    ({ files, other } = world);
    root = files.openRoot(world.root);
    put("file", "old");
    files.makeFolder(root, "folder");
    files.makeFolder(root, "empty");
    folder = files.openFolder(root, "folder");
    put("inside", "in", folder);
    world.makeLink(`${world.root}/to-file`, `${world.root}/file`);
    world.makeLink(`${world.root}/to-folder`, `${world.root}/folder`);
    world.makeLink(`${world.root}/dangling`, `${world.root}/nothing`);
  });

  afterEach(() => {
    files.close(folder);
    files.close(root);
    world.end();
  });

  function put(name: string, text: string, at = root, through = files): void {
    const file = through.open(at, name, "create");
    write(file, text, through);
    through.close(file);
  }

  function write(file: File, text: string, through = files): void {
    through.write(file, encodeUtf8(text));
  }

  function text(file: File): string {
    return decodeUtf8(files.read(file, 0, 1000));
  }

  function textAt(name: string, at = root): string {
    const file = files.open(at, name, "read");
    const content = text(file);
    files.close(file);
    return content;
  }

  function otherRoot<T>(work: (root: Folder) => T): T {
    const theirs = other.openRoot(world.root);
    const result = work(theirs);
    other.close(theirs);
    return result;
  }

  describe(`${name}: a folder`, () => {
    test("that is a root is reached through links, and only there", () => {
      const through = files.openRoot(`${world.root}/to-folder`);
      expect(files.list(through)).toEqual(["inside"]);
      files.close(through);
    });

    test.each([
      ["nothing", "ENOENT"],
      ["dangling", "ENOENT"],
      ["file", "ENOTDIR"],
      ["to-file", "ENOTDIR"],
    ])("as a root at %s is refused with %s", (name, code) => {
      expect(codeOf(() => files.openRoot(`${world.root}/${name}`))).toBe(code);
    });

    test.each([
      ["nothing", "ENOENT"],
      ["file", "ENOTDIR"],
      ["to-folder", "ENOTDIR"],
      ["to-file", "ENOTDIR"],
      ["dangling", "ENOTDIR"],
    ])("to open the folder %s is refused with %s", (name, code) => {
      expect(codeOf(() => files.openFolder(root, name))).toBe(code);
    });

    test.each(["file", "folder", "to-file", "dangling"])("is not made where there is %s", (name) => {
      expect(codeOf(() => files.makeFolder(root, name))).toBe("EEXIST");
      expect(files.stat(root, "nothing")).toBeUndefined();
    });

    test.each([
      ["nothing", "ENOENT"],
      ["file", "ENOTDIR"],
      ["folder", "ENOTEMPTY"],
      ["to-folder", "ENOTDIR"],
    ])("to remove the folder %s is refused with %s", (name, code) => {
      expect(codeOf(() => files.removeFolder(root, name))).toBe(code);
      expect(files.list(folder)).toEqual(["inside"]);
    });

    test("that is empty can be removed", () => {
      files.removeFolder(root, "empty");
      expect(files.stat(root, "empty")).toBeUndefined();
    });

    test("is listed with every name once, in order, and links as themselves", () => {
      put("Z", "");
      put("é", "");
      expect(files.list(root)).toEqual(
        ["Z", "dangling", "empty", "file", "folder", "to-file", "to-folder", "é"].sort(),
      );
    });

    test("that was removed while it was open takes nothing more", () => {
      const empty = files.openFolder(root, "empty");
      otherRoot((theirs) => other.removeFolder(theirs, "empty"));
      expect(codeOf(() => files.open(empty, "new", "create"))).toBe("ENOENT");
      expect(codeOf(() => files.makeFolder(empty, "new"))).toBe("ENOENT");
      files.close(empty);
    });
  });

  describe(`${name}: looking up a path`, () => {
    test.each([
      ["file", "file"],
      ["folder", "folder"],
      ["to-file", "link"],
      ["to-folder", "link"],
      ["dangling", "link"],
    ])("finds that %s is a %s", (name, kind) => {
      expect(files.stat(root, name)?.kind).toBe(kind);
    });

    test("finds nothing under a missing name", () => {
      expect(files.stat(root, "nothing")).toBeUndefined();
    });

    test("gives the same through a handle as through the name it was opened by", () => {
      const file = files.open(root, "file", "read");
      expect(files.statOf(file)).toEqual(files.stat(root, "file"));
      expect(files.statOf(file)).toMatchObject({ kind: "file", size: 3, mode: 0o600, links: 1 });
      expect(files.statOf(folder)).toEqual(files.stat(root, "folder"));
      files.close(file);
    });

    test("distinguishes every file from every other by device and inode", () => {
      const ids = ["file", "folder", "empty", "to-file"].map((name) => {
        const stat = files.stat(root, name);
        return `${stat?.device}:${stat?.inode}`;
      });
      expect(new Set(ids).size).toBe(ids.length);
    });

    test("shows a modification time that moves with a write and a cut, not with a rename or a mode", () => {
      const file = files.open(root, "file", "append");
      const times = [files.statOf(file).modified];
      world.tick();
      files.rename(root, "file", folder, "moved");
      files.chmod(file, 0o755);
      times.push(files.statOf(file).modified);
      world.tick();
      write(file, "more");
      times.push(files.statOf(file).modified);
      world.tick();
      files.truncate(file, 1);
      times.push(files.statOf(file).modified);
      files.close(file);
      const [first, moved, written, cut] = times;
      expect(moved).toBe(first);
      expect(written).toBeGreaterThan(first as bigint);
      expect(cut).toBeGreaterThan(written as bigint);
    });

    test("shows a modification time that was set, until the file is written again", () => {
      const file = files.open(root, "file", "append");
      files.setModified(file, 1_500_000_000_123);
      const said = files.stat(root, "file")?.modified;
      world.tick();
      write(file, "more");
      const written = files.stat(root, "file")?.modified;
      files.close(file);
      expect(Number((said ?? 0n) / 1_000_000n)).toBe(1_500_000_000_123);
      expect(written).not.toBe(said);
    });
  });

  describe(`${name}: opening a file`, () => {
    test.each([
      ["nothing", "read", "ENOENT"],
      ["to-file", "read", "ELOOP"],
      ["to-folder", "read", "ELOOP"],
      ["dangling", "read", "ELOOP"],
      ["file", "create", "EEXIST"],
      ["folder", "create", "EEXIST"],
      ["to-file", "create", "EEXIST"],
      ["dangling", "create", "EEXIST"],
      ["folder", "append", "EISDIR"],
      ["to-file", "append", "ELOOP"],
      ["dangling", "append", "ELOOP"],
    ] as const)("%s to %s is refused with %s", (name, how, code) => {
      expect(codeOf(() => files.open(root, name, how))).toBe(code);
      expect(textAt("file")).toBe("old");
      expect(files.stat(root, "nothing")).toBeUndefined();
    });

    test("append makes the file that is not there, for us alone", () => {
      files.close(files.open(root, "new", "append"));
      expect(files.stat(root, "new")).toMatchObject({ kind: "file", size: 0, mode: 0o600 });
    });

    test("a folder opened to read says what it is and gives no bytes", () => {
      const handle = files.open(root, "folder", "read");
      expect(files.statOf(handle).kind).toBe("folder");
      expect(codeOf(() => files.read(handle, 0, 10))).toBe("EISDIR");
      files.close(handle);
    });
  });

  describe(`${name}: bytes`, () => {
    test.each([
      [0, 3, "old"],
      [0, 2, "ol"],
      [1, 1, "l"],
      [1, 100, "ld"],
      [3, 5, ""],
      [50, 5, ""],
      [0, 0, ""],
    ])("a read from %i of %i bytes gives %j", (offset, length, expected) => {
      const file = files.open(root, "file", "read");
      const bytes = files.read(file, offset, length);
      expect(decodeUtf8(bytes)).toBe(expected);
      expect(bytes.length).toBe(expected.length);
      files.close(file);
    });

    test("a large file comes back whole", () => {
      const bytes = Uint8Array.from({ length: 300_001 }, (_, index) => index % 251);
      const file = files.open(root, "large", "create");
      files.write(file, bytes.subarray(0, 200_000));
      files.write(file, bytes.subarray(200_000));
      expect(Buffer.compare(files.read(file, 0, 400_000), bytes)).toBe(0);
      expect(Buffer.compare(files.read(file, 150_000, 1000), bytes.subarray(150_000, 151_000))).toBe(0);
      files.close(file);
    });

    test("bytes given to a write may be changed afterwards, and so may those that were read", () => {
      const bytes = encodeUtf8("abc");
      const file = files.open(root, "new", "create");
      files.write(file, bytes);
      bytes.fill(0);
      files.read(file, 0, 3).fill(0);
      expect(text(file)).toBe("abc");
      files.close(file);
    });

    test("every write goes to the end, whoever wrote last", () => {
      const mine = files.open(root, "file", "append");
      otherRoot((theirRoot) => {
        const theirs = other.open(theirRoot, "file", "append");
        write(mine, "1");
        write(theirs, "2", other);
        write(mine, "3");
        other.close(theirs);
      });
      expect(text(mine)).toBe("old123");
      files.close(mine);
    });

    test.each(["create", "append"] as const)(
      "after a cut, a file opened to %s grows from its new end",
      (how) => {
        const file = files.open(root, "new", how);
        write(file, "abcdef");
        files.truncate(file, 2);
        write(file, "X");
        expect(text(file)).toBe("abX");
        files.close(file);
      },
    );

    test("a cut beyond the end fills with zeros", () => {
      const file = files.open(root, "file", "append");
      files.truncate(file, 5);
      expect(text(file)).toBe("old\0\0");
      files.close(file);
    });

    test("an empty write changes nothing", () => {
      const file = files.open(root, "file", "append");
      files.write(file, new Uint8Array());
      expect(text(file)).toBe("old");
      files.close(file);
    });

    test("a file opened to read cannot be written", () => {
      const file = files.open(root, "file", "read");
      expect(codeOf(() => write(file, "x"))).toBe("EBADF");
      expect(codeOf(() => files.truncate(file, 0))).toBe("EINVAL");
      expect(text(file)).toBe("old");
      files.close(file);
    });

    test("a mode can be set through any handle and is seen by everybody", () => {
      const file = files.open(root, "file", "read");
      files.chmod(file, 0o751);
      expect(files.stat(root, "file")?.mode).toBe(0o751);
      files.close(file);
    });
  });

  describe(`${name}: names`, () => {
    test("a second name is the same file", () => {
      files.link(root, "file", folder, "second");
      expect(files.stat(folder, "second")).toEqual(files.stat(root, "file"));
      expect(files.stat(root, "file")?.links).toBe(2);
      files.unlink(root, "file");
      expect(textAt("second", folder)).toBe("old");
      expect(files.stat(folder, "second")?.links).toBe(1);
    });

    test.each(["file", "folder", "to-file", "dangling"])("a second name never replaces %s", (name) => {
      put("source", "s");
      expect(codeOf(() => files.link(root, "source", root, name))).toBe("EEXIST");
      expect(textAt("file")).toBe("old");
    });

    test("a second name needs a file", () => {
      expect(codeOf(() => files.link(root, "nothing", root, "new"))).toBe("ENOENT");
      expect(codeOf(() => files.link(root, "folder", root, "new"))).toBe("EPERM");
    });

    test("a second name for a link is for the link itself", () => {
      files.link(root, "to-file", folder, "second");
      expect(files.stat(folder, "second")?.kind).toBe("link");
      expect(files.stat(root, "file")?.links).toBe(1);
    });

    test("a rename replaces the file, and open handles keep the old one", () => {
      const old = files.open(root, "file", "read");
      put("new", "new", folder);
      const inode = files.stat(folder, "new")?.inode;
      files.rename(folder, "new", root, "file");
      expect(textAt("file")).toBe("new");
      expect(files.stat(root, "file")?.inode).toBe(inode);
      expect(files.stat(folder, "new")).toBeUndefined();
      expect(text(old)).toBe("old");
      expect(files.statOf(old).links).toBe(0);
      files.close(old);
    });

    test("a rename moves a folder with what is in it", () => {
      files.rename(root, "folder", root, "moved");
      const moved = files.openFolder(root, "moved");
      expect(textAt("inside", moved)).toBe("in");
      files.close(moved);
    });

    test("a rename replaces an empty folder by a folder", () => {
      files.rename(root, "folder", root, "empty");
      expect(files.stat(root, "folder")).toBeUndefined();
      expect(files.stat(root, "empty")?.kind).toBe("folder");
    });

    test.each([
      ["nothing", "file", "ENOENT"],
      ["file", "folder", "EISDIR"],
      ["file", "empty", "EISDIR"],
      ["to-file", "empty", "EISDIR"],
      ["folder", "file", "ENOTDIR"],
      ["folder", "to-folder", "ENOTDIR"],
      ["empty", "folder", "ENOTEMPTY"],
    ])("a rename of %s to %s is refused with %s", (name, newName, code) => {
      const before = files.list(root);
      expect(codeOf(() => files.rename(root, name, root, newName))).toBe(code);
      expect(files.list(root)).toEqual(before);
      expect(textAt("file")).toBe("old");
    });

    test("a folder cannot be moved into itself", () => {
      expect(codeOf(() => files.rename(root, "folder", folder, "inner"))).toBe("EINVAL");
    });

    test("a folder cannot be replaced by something inside it", () => {
      expect(codeOf(() => files.rename(folder, "inside", root, "folder"))).toBe("ENOTEMPTY");
      expect(textAt("inside", folder)).toBe("in");
    });

    test("a rename treats links as themselves, at both ends", () => {
      files.rename(root, "to-file", root, "moved-link");
      expect(files.stat(root, "moved-link")?.kind).toBe("link");
      files.rename(root, "file", root, "to-folder");
      expect(files.stat(root, "to-folder")?.kind).toBe("file");
      expect(files.list(folder)).toEqual(["inside"]);
    });

    test("a rename between two names of one file, or to itself, leaves both", () => {
      files.link(root, "file", root, "second");
      files.rename(root, "file", root, "second");
      files.rename(root, "file", root, "file");
      expect(files.stat(root, "file")?.links).toBe(2);
      expect(textAt("second")).toBe("old");
    });

    test.each([
      ["nothing", "ENOENT"],
      ["folder", "EISDIR"],
      ["empty", "EISDIR"],
    ])("to unlink %s is refused with %s", (name, code) => {
      expect(codeOf(() => files.unlink(root, name))).toBe(code);
    });

    test.each(["to-file", "to-folder", "dangling"])(
      "to unlink %s removes the link and nothing else",
      (name) => {
        files.unlink(root, name);
        expect(files.stat(root, name)).toBeUndefined();
        expect(textAt("file")).toBe("old");
        expect(files.list(folder)).toEqual(["inside"]);
      },
    );

    test("a file without a name lives as long as it is open", () => {
      const file = files.open(root, "file", "append");
      files.unlink(root, "file");
      write(file, "er");
      expect(text(file)).toBe("older");
      expect(files.statOf(file)).toMatchObject({ links: 0, size: 5 });
      files.close(file);
    });

    test.each(["", ".", "..", "a/b", "/", "../file", "a\0b"])("%j is not a name, in any call", (bad) => {
      const calls: (() => unknown)[] = [
        () => files.openFolder(root, bad),
        () => files.makeFolder(root, bad),
        () => files.removeFolder(root, bad),
        () => files.stat(root, bad),
        () => files.open(root, bad, "read"),
        () => files.open(root, bad, "append"),
        () => files.link(root, bad, root, "new"),
        () => files.link(root, "file", root, bad),
        () => files.rename(root, bad, root, "new"),
        () => files.rename(root, "file", root, bad),
        () => files.unlink(root, bad),
      ];
      for (const call of calls) expect(call).toThrow(BrokenClaim);
    });
  });

  describe(`${name}: handles`, () => {
    test("nothing can be done through a closed handle", async () => {
      const file = files.open(root, "file", "append");
      const closed = files.openFolder(root, "empty");
      files.close(file);
      files.close(closed);
      expect(() => files.read(file, 0, 1)).toThrow(BrokenClaim);
      expect(() => write(file, "x")).toThrow(BrokenClaim);
      expect(() => files.statOf(file)).toThrow(BrokenClaim);
      expect(() => files.sync(file)).toThrow(BrokenClaim);
      expect(() => files.close(file)).toThrow(BrokenClaim);
      expect(() => files.list(closed)).toThrow(BrokenClaim);
      expect(() => files.open(closed, "x", "create")).toThrow(BrokenClaim);
      await expect((async () => files.syncAll([root, closed]))()).rejects.toThrow(BrokenClaim);
      await expect((async () => files.syncData(file))()).rejects.toThrow(BrokenClaim);
    });

    test("syncing works for files and folders, one by one or all at once", async () => {
      const file = files.open(root, "file", "append");
      write(file, "er");
      files.sync(file);
      files.sync(root);
      await files.syncData(file);
      await files.syncAll([]);
      await files.syncAll([file, root, folder, ...Array.from({ length: 50 }, () => file)]);
      expect(text(file)).toBe("older");
      files.close(file);
    });

    test("a lock has one holder, and is free again once its file is closed", () => {
      const mine = files.open(root, "file", "append");
      const alsoMine = files.open(root, "file", "read");
      otherRoot((theirRoot) => {
        const theirs = other.open(theirRoot, "file", "append");
        expect(files.lock(mine)).toBe(true);
        expect(files.lock(mine)).toBe(true);
        expect(other.lock(theirs)).toBe(false);
        expect(files.lock(alsoMine)).toBe(false);
        files.close(mine);
        expect(other.lock(theirs)).toBe(true);
        expect(files.lock(alsoMine)).toBe(false);
        other.close(theirs);
      });
      expect(files.lock(alsoMine)).toBe(true);
      files.close(alsoMine);
    });

    test("a lock that is waited for comes when it is given back, or not at all after the time limit", async () => {
      const mine = files.open(root, "file", "append");
      const theirRoot = other.openRoot(world.root);
      const theirs = other.open(theirRoot, "file", "append");
      expect(await files.lockWithin(mine, 0)).toBe(true);
      expect(await files.lockWithin(mine, 1000)).toBe(true);
      expect(await other.lockWithin(theirs, 0)).toBe(false);
      expect(await other.lockWithin(theirs, 20)).toBe(false);
      let isTheirs = false;
      const waiting = other.lockWithin(theirs, 60_000).then((isGiven) => {
        isTheirs = isGiven;
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(isTheirs).toBe(false);
      files.close(mine);
      await waiting;
      expect(isTheirs).toBe(true);
      const asks = files.open(root, "file", "read");
      expect(files.isLocked(asks)).toBe(true);
      for (const handle of [theirs, theirRoot]) other.close(handle);
      expect(files.isLocked(asks)).toBe(false);
      files.close(asks);
    });

    test("waiting for a lock can be cancelled", async () => {
      const mine = files.open(root, "file", "append");
      const alsoMine = files.open(root, "file", "append");
      expect(files.lock(mine)).toBe(true);
      const calledOff = new AbortController();
      const waiting = files.lockWithin(alsoMine, 60_000, calledOff.signal);
      calledOff.abort(new Error("enough"));
      await expect(waiting).rejects.toThrow("enough");
      await expect(files.lockWithin(alsoMine, 60_000, calledOff.signal)).rejects.toThrow("enough");
      for (const handle of [mine, alsoMine]) files.close(handle);
    });

    test("many can ask whether a file is locked without holding its lock", () => {
      const mine = files.open(root, "file", "append");
      const asks = files.open(root, "file", "read");
      otherRoot((theirRoot) => {
        const asksToo = other.open(theirRoot, "file", "read");
        expect([files.isLocked(asks), other.isLocked(asksToo)]).toEqual([false, false]);
        expect(files.lock(mine)).toBe(true);
        expect([files.isLocked(asks), other.isLocked(asksToo)]).toEqual([true, true]);
        files.close(mine);
        expect([files.isLocked(asks), other.isLocked(asksToo)]).toEqual([false, false]);
        expect(other.lock(asksToo)).toBe(true);
        other.close(asksToo);
      });
      files.close(asks);
    });

    test("a lock is on the file, not on its name", () => {
      const mine = files.open(root, "file", "read");
      expect(files.lock(mine)).toBe(true);
      files.rename(root, "file", root, "moved");
      const moved = files.open(root, "moved", "read");
      expect(files.lock(moved)).toBe(false);
      put("file", "fresh");
      const fresh = files.open(root, "file", "read");
      expect(files.lock(fresh)).toBe(true);
      for (const handle of [mine, moved, fresh]) files.close(handle);
    });
  });

  describe(`${name}: somebody else on the same disk`, () => {
    test("their changes are seen at once", () => {
      otherRoot((theirs) => {
        put("theirs", "hello", theirs, other);
        other.unlink(theirs, "file");
      });
      expect(textAt("theirs")).toBe("hello");
      expect(codeOf(() => files.open(root, "file", "read"))).toBe("ENOENT");
    });

    test("a file they replace is recognised by its inode, one they write by its size and time", () => {
      const before = files.stat(root, "file");
      world.tick();
      otherRoot((theirs) => {
        const file = other.open(theirs, "file", "append");
        write(file, "er", other);
        other.close(file);
      });
      const written = files.stat(root, "file");
      expect(written).toMatchObject({ inode: before?.inode, size: 5 });
      expect(written?.modified).not.toBe(before?.modified);
      otherRoot((theirs) => {
        put("temporary", "older", theirs, other);
        other.rename(theirs, "temporary", theirs, "file");
      });
      expect(files.stat(root, "file")?.inode).not.toBe(before?.inode);
    });

    test("a name they take first is theirs", () => {
      expect(files.stat(root, "new")).toBeUndefined();
      otherRoot((theirs) => put("new", "theirs", theirs, other));
      expect(codeOf(() => files.open(root, "new", "create"))).toBe("EEXIST");
      expect(textAt("new")).toBe("theirs");
    });

    test("a folder they swap for a link never leads us to where the link points", () => {
      otherRoot((theirs) => {
        other.rename(theirs, "folder", theirs, "away");
        other.makeFolder(theirs, "canary");
      });
      world.makeLink(`${world.root}/folder`, `${world.root}/canary`);
      const code = codeOf(() => put("escaped", "x", folder));
      const canary = files.openFolder(root, "canary");
      expect(files.list(canary)).toEqual([]);
      expect(code).toBe(world.pinned ? "nothing thrown" : "ENOTDIR");
      files.close(canary);
    });

    test("a folder they replace by another is not taken for the one that was opened", () => {
      otherRoot((theirs) => {
        other.rename(theirs, "folder", theirs, "away");
        other.makeFolder(theirs, "folder");
      });
      expect(codeOf(() => put("mine", "x", folder))).toBe(world.pinned ? "nothing thrown" : "ESTALE");
      const replacement = files.openFolder(root, "folder");
      expect(files.list(replacement)).toEqual([]);
      files.close(replacement);
    });
  });
}

/** The errno name of what `call` throws. */
export function codeOf(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code);
    throw error;
  }
  return "nothing thrown";
}
