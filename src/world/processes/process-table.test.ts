import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import { identityOf, lineage, processRow, processTable, wasStartedWith } from "./process-table.ts";

const begun: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of begun.splice(0)) child.kill("SIGKILL");
});

test("the lineage of a process is itself and all its ancestors", () => {
  const line = lineage();
  expect(line).toContain(process.pid);
  expect(line).toContain(process.ppid);
  const child = begin("sleep", ["1000"]);
  expect(lineage()).not.toContain(child.pid);
});

test("a process name with spaces and parentheses hides nothing of what follows it", async () => {
  const child = begin("sleep", ["1000"]);
  const renamer = begin("perl", ["-e", "$0 = 'a) Z 1 (b'; print 'ready'; $| = 1; print '!'; sleep 1000"]);
  await new Promise((resolve) => renamer.stdout.once("data", resolve));
  expect(processRow(renamer.pid ?? 0)).toMatchObject({ parent: process.pid, isZombie: false });
  expect(processTable().map(({ pid }) => pid)).toEqual(expect.arrayContaining([child.pid, renamer.pid]));
});

test("a process mark must match a whole line of the environment", async () => {
  const child = begin("sh", ["-c", "echo; read -r line"], { PATH: "/usr/bin:/bin", MARK: "abc" });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const pid = child.pid ?? 0;
  expect(wasStartedWith(pid, "MARK=abc")).toBe(true);
  for (const line of ["MARK=ab", "ARK=abc", "MARK=abcd", "MARK"])
    expect(wasStartedWith(pid, line)).toBe(false);
});

test("two processes have different identities, and one keeps its own", () => {
  expect(identityOf(process.pid)).toEqual(identityOf(process.pid));
  expect(identityOf(process.pid)).not.toEqual(identityOf(process.ppid));
});

function begin(program: string, args: string[], env = process.env): ChildProcessWithoutNullStreams {
  const child = spawn(program, args, { env });
  begun.push(child);
  return child;
}
