import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hasDescriptorWalk, openFiles } from "./choose-files.ts";
import { codeOf, type FilesWorld, filesContract } from "./files.contract.ts";
import type { Files } from "./files.ts";
import { nodeFiles } from "./node-files.ts";
import { pathFiles } from "./path-files.ts";

filesContract("descriptors", () => worldOf(nodeFiles, true));
filesContract("paths", () => worldOf(pathFiles, false));

function worldOf(make: () => Files, pinned: boolean): FilesWorld {
  const root = mkdtempSync(join(tmpdir(), "files-"));
  return {
    files: make(),
    other: make(),
    root,
    pinned,
    makeLink: (path, target) => symlinkSync(target, path),
    // The kernel counts time in ticks of up to 10 ms: two writes within one tick get the same time.
    tick: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25),
    end: () => rmSync(root, { recursive: true, force: true }),
  };
}

const files = nodeFiles();
let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "files-"));
});

afterEach(() => rmSync(path, { recursive: true, force: true }));

test("files are opened through descriptors where the system can walk them", () => {
  expect(hasDescriptorWalk()).toBe(true);
  expect(openFiles().openRoot.toString()).toBe(nodeFiles().openRoot.toString());
});

test("a file error names the path as a person knows it, not a descriptor", () => {
  const root = files.openRoot(path);
  files.makeFolder(root, "src");
  const src = files.openFolder(root, "src");
  expect(() => files.open(src, "no.ts", "read")).toThrow(
    `ENOENT: no such file or directory, open '${path}/src/no.ts'`,
  );
  expect(() => files.rename(src, "a", root, "b")).toThrow(`rename '${path}/src/a' -> '${path}/b'`);
  files.close(src);
  files.close(root);
});

test.each([
  ["descriptors", nodeFiles],
  ["paths", pathFiles],
])("%s: to open a FIFO does not wait for its writer, whatever for", (_, make) => {
  const files = make();
  execFileSync("mkfifo", [join(path, "fifo")]);
  const root = files.openRoot(path);
  expect(files.stat(root, "fifo")?.kind).toBe("other");
  for (const how of ["read", "append"] as const) {
    const fifo = files.open(root, "fifo", how);
    expect(files.statOf(fifo).kind).toBe("other");
    files.close(fifo);
  }
  files.close(root);
});

test("no file descriptor reaches a child process", () => {
  const root = files.openRoot(path);
  const file = files.open(root, "file", "create");
  const listed = execFileSync("ls", ["-l", "/proc/self/fd"], { encoding: "utf8" });
  expect(listed).not.toContain(path);
  files.close(file);
  files.close(root);
});

test("a file lock keeps another program out, and a killed program gives it back", async () => {
  const root = files.openRoot(path);
  const file = files.open(root, "lock", "append");
  const name = join(path, "lock");
  expect(files.lock(file)).toBe(true);
  expect(spawnSync("flock", ["-n", name, "true"]).status).toBe(1);
  files.close(file);

  const holder = spawn("flock", ["-n", "-o", name, "sh", "-c", "echo held; exec sleep 60"], {
    detached: true,
  });
  const ended = new Promise((resolve) => holder.once("exit", resolve));
  try {
    await new Promise((resolve) => holder.stdout.once("data", resolve));
    const again = files.open(root, "lock", "append");
    expect(files.lock(again)).toBe(false);
    killGroup();
    await ended;
    expect(files.lock(again)).toBe(true);
    files.close(again);
  } finally {
    killGroup();
    files.close(root);
  }

  function killGroup(): void {
    if (holder.exitCode === null && holder.signalCode === null)
      process.kill(-(holder.pid as number), "SIGKILL");
  }
});

test("without a flock program perl takes the file lock; without both it is refused", () => {
  const root = files.openRoot(path);
  const one = files.open(root, "lock", "append");
  const two = files.open(root, "lock", "read");
  const bin = join(path, "bin");
  const perl = execFileSync("sh", ["-c", "command -v perl"], { encoding: "utf8" }).trim();
  files.makeFolder(root, "bin");
  withPath(join(path, "empty"), () => expect(codeOf(() => files.lock(one))).toBe("ENOSYS"));
  symlinkSync(perl, join(bin, "perl"));
  withPath(bin, () => {
    expect(files.lock(two)).toBe(true);
    expect(files.lock(one)).toBe(false);
  });
  expect(files.lock(one)).toBe(false);
  for (const handle of [one, two, root]) files.close(handle);
});

test("a failing sync is reported after all the others have ended", async () => {
  const root = files.openRoot(path);
  execFileSync("mkfifo", [join(path, "fifo")]);
  const fifo = files.open(root, "fifo", "append");
  const handles = Array.from({ length: 40 }, (_, index) => files.open(root, `f${index}`, "create"));
  await expect(files.syncAll([fifo, ...handles])).rejects.toMatchObject({ code: "EINVAL" });
  await expect(files.syncData(fifo)).rejects.toMatchObject({ code: "EINVAL" });
  for (const handle of [fifo, ...handles, root]) files.close(handle);
});

function withPath(value: string, work: () => void): void {
  const before = process.env.PATH;
  process.env.PATH = value;
  try {
    work();
  } finally {
    process.env.PATH = before;
  }
}
