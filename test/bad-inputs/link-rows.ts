/** Links, pipes, devices, mounts and owners: what is there may not be what it seems. */
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  append,
  create,
  edit,
  NotPossibleHere,
  type Place,
  type Row,
  remove,
  replyOf,
  rewrite,
} from "./row.ts";

export const linkRows: readonly Row[] = [
  {
    id: "LINK-01",
    about: "a folder that leads outside",
    setUp: ({ root, outside }) => symlinkSync(outside, join(root, "ln")),
    reply: () => replyOf(create("ln/x")),
    expect: { refused: "PATH_SYMLINK" },
  },
  {
    id: "LINK-04",
    about: "a link to a file inside",
    setUp: ({ root }) => {
      writeFileSync(join(root, "real"), "real\n");
      symlinkSync("real", join(root, "ok"));
    },
    reply: () => replyOf(edit("ok", ["real", "fake"])),
    expect: { refused: "PATH_SYMLINK" },
  },
  {
    id: "LINK-07",
    about: "a second name of a file outside",
    setUp: ({ root, outside }) => {
      writeFileSync(join(outside, "h"), "shared\n");
      linkSync(join(outside, "h"), join(root, "h"));
    },
    reply: () => replyOf(edit("h", ["shared", "own"])),
    expect: {
      applied: { h: "own\n" },
      check: ({ outside }) => expect(readFileSync(join(outside, "h"), "utf8")).toBe("shared\n"),
    },
  },
  ...[rewrite("ff", "x"), append("ff", "x")].map(
    (operation): Row => ({
      id: `LINK-08 ${operation.operation}`,
      about: "a pipe nobody writes to",
      setUp: ({ root }) => run("mkfifo", join(root, "ff")),
      reply: () => replyOf(operation),
      expect: { refused: "PATH_NOT_REGULAR" },
    }),
  ),
  {
    id: "LINK-09",
    about: "a socket",
    setUp: ({ root }) => run("python3", "-c", bindSocket, join(root, "s")),
    reply: () => replyOf(rewrite("s", "x")),
    expect: { refused: "PATH_NOT_REGULAR" },
  },
  {
    id: "LINK-10",
    about: "a device",
    setUp: ({ root }) => run("mknod", join(root, "dev"), "c", "1", "3"),
    reply: () => replyOf(rewrite("dev", "x")),
    expect: { refused: "PATH_NOT_REGULAR" },
  },
  ...[create("d"), rewrite("d", "x"), remove("d")].map(
    (operation): Row => ({
      id: `LINK-11 ${operation.operation}`,
      about: "a folder where a file is meant",
      setUp: ({ root }) => mkdirSync(join(root, "d")),
      reply: () => replyOf(operation),
      expect: { refused: "PATH_IS_DIRECTORY" },
    }),
  ),
  {
    id: "LINK-12",
    about: "another file system inside the root",
    setUp: ({ root }) => {
      mkdirSync(join(root, "mnt"));
      run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", join(root, "mnt"));
    },
    tearDown: ({ root }) => run("umount", join(root, "mnt")),
    reply: () => replyOf(create("mnt/x")),
    expect: { refused: "PATH_CROSS_DEVICE" },
  },
  {
    id: "LINK-17",
    about: "a root that is itself a link",
    setUp: (place) => {
      renameSync(place.root, `${place.root}-real`);
      symlinkSync(`${place.root}-real`, place.root);
    },
    reply: () => replyOf(create("x")),
    expect: { applied: { x: "content\n" } },
  },
  {
    id: "LINK-19",
    about: "a program stays executable",
    setUp: ({ root }) => writeFileSync(join(root, "run.sh"), "echo a\n", { mode: 0o755 }),
    reply: () => replyOf(edit("run.sh", ["a", "b"])),
    expect: {
      applied: { "run.sh": "echo b\n" },
      check: ({ root }) => expect(statSync(join(root, "run.sh")).mode & 0o777).toBe(0o755),
    },
  },
  {
    id: "LINK-20",
    about: "a file that may not be changed",
    setUp: ({ root }) => {
      writeFileSync(join(root, "fixed"), "a\n");
      run("chattr", "+i", join(root, "fixed"));
    },
    tearDown: ({ root }) => run("chattr", "-i", join(root, "fixed")),
    reply: () => replyOf(create("other"), edit("fixed", ["a", "b"])),
    expect: { refused: "PATH_EPERM" },
  },
  {
    id: "LINK-21",
    about: "the git file of a submodule",
    setUp: (place) => nested(place, "gitdir: ../.git/modules/sub\n"),
    reply: () => replyOf(rewrite("sub/.git", "gitdir: /evil\n")),
    expect: { refused: "PATH_PROTECTED" },
  },
  {
    id: "LINK-22",
    about: "a file in another repository",
    setUp: (place) => nested(place, "gitdir: ../.git/worktrees/sub\n"),
    reply: () => replyOf(create("sub/x")),
    expect: { waiting: "PATH_NESTED_REPO" },
  },
];

const bindSocket = "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])";

function nested({ root }: Place, gitFile: string): void {
  mkdirSync(join(root, "sub"));
  writeFileSync(join(root, "sub/.git"), gitFile);
}

/** Some of this needs rights, or a file system, that not every machine has. */
function run(program: string, ...args: readonly string[]): void {
  try {
    execFileSync(program, args, { stdio: "pipe" });
  } catch (error) {
    throw new NotPossibleHere(`${program} ${args[0]} does not work here: ${String(error).split("\n")[0]}`);
  }
}
