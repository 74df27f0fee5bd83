/** `cox undo`, and recovery after a crash. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { append, create, edit, remove, replyOf } from "../bad-inputs/row.ts";
import { folderWith } from "./folder.ts";
import { cox, program } from "./program.ts";
import { snapshot } from "./snapshot.ts";

test("undo puts every byte back, and undoing the undo makes the change again", async () => {
  const cwd = folderWith({ "a.txt": "one\n", "gone.txt": "bye\n" });
  const before = snapshot(cwd);
  const stdin = replyOf(create("d/e/new.txt"), edit("a.txt", ["one", "two"]), remove("gone.txt"));
  await cox(["apply", "--yes", "--id", "first"], { cwd, stdin });
  const after = snapshot(cwd);

  const { exitCode, stdout } = await cox(["undo"], { cwd });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^✓ 3 files put back and read back · changeset first is undone · redo: cox undo \w{6}\n$/,
  );
  expect(snapshot(cwd)).toEqual(before);

  const redo = stdout.match(/cox undo (\w+)/)?.[1] ?? "";
  expect((await cox(["undo", redo], { cwd })).exitCode).toBe(0);
  expect(snapshot(cwd)).toEqual(after);
});

test("undo never overwrites what somebody changed since", async () => {
  const cwd = folderWith({ "a.txt": "one\n" });
  await cox(["apply"], { cwd, stdin: replyOf(edit("a.txt", ["one", "two"]), create("b.txt")) });
  writeFileSync(join(cwd, "a.txt"), "mine\n");
  const before = snapshot(cwd);
  const { exitCode, stderr } = await cox(["undo"], { cwd });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("✗ UNDO_CHANGED  a.txt");
  expect(snapshot(cwd)).toEqual(before);
});

test("undo is refused where nothing was applied, with --json too, and creates nothing", async () => {
  const cwd = folderWith();
  const { exitCode, stdout } = await cox(["undo", "--json"], { cwd });
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, errors: [{ code: "UNDO_NOTHING" }] });
  expect(existsSync(join(cwd, ".coxswain"))).toBe(false);
});

test("undo of an unknown changeset is refused", async () => {
  const cwd = folderWith();
  await cox(["apply"], { cwd, stdin: replyOf(create("a.txt")) });
  const { exitCode, stdout } = await cox(["undo", "nope", "--json"], { cwd });
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, errors: [{ code: "UNDO_UNKNOWN" }] });
});

test("undo --list shows every changeset, newest first, and creates nothing", async () => {
  const cwd = folderWith();
  expect((await cox(["undo", "--list"], { cwd })).stdout).toBe("no changeset has been applied here yet\n");
  expect(existsSync(join(cwd, ".coxswain"))).toBe(false);
  await cox(["apply", "--id", "one"], { cwd, stdin: replyOf(create("a.txt")) });
  await cox(["apply", "--id", "two"], { cwd, stdin: replyOf(create("b.txt")) });
  await cox(["undo", "one"], { cwd });
  const { changesets } = JSON.parse((await cox(["undo", "--list", "--json"], { cwd })).stdout);
  expect(changesets.map(({ state }: { state: string }) => state)).toEqual(["applied", "applied", "undone"]);
  expect(changesets[1]).toMatchObject({ id: "two", files: 1 });
});

test("OPS-14 a changeset killed after the commit point is finished by the next command, and appends once", async () => {
  const cwd = folderWith({ "log.txt": "start\n" });
  const many = Array.from({ length: 400 }, (_, at) => create(`f/${at}.txt`, "x\n"));
  writeFileSync(join(cwd, "reply.md"), replyOf(append("log.txt", "more\n"), ...many));
  const child = spawn(process.execPath, [program, "apply", "reply.md", "--id", "big"], {
    cwd,
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const ledger = join(cwd, ".coxswain/changesets/ledger.jsonl");
  const isPrepared = () =>
    existsSync(ledger) && readFileSync(ledger, "utf8").includes('"changeset_prepared"');
  while (child.exitCode === null && !isPrepared()) await sleep(1);
  child.kill("SIGKILL");
  await ended;

  const { stderr } = await cox(["apply"], { cwd, stdin: replyOf(create("next.txt")) });
  if (child.signalCode === "SIGKILL")
    expect(stderr).toMatch(/changeset big was left half-finished; it is now finished/);
  expect(readFileSync(join(cwd, "log.txt"), "utf8")).toBe("start\nmore\n");
  for (let at = 0; at < 400; at++) expect(existsSync(join(cwd, `f/${at}.txt`))).toBe(true);
  expect(existsSync(join(cwd, "next.txt"))).toBe(true);
});

test("cox apply in a folder that another process has locked is exit 6, and changes nothing", async () => {
  const cwd = await heldFolder();
  const ended = await cox(["apply", "--json"], { cwd, stdin: replyOf(create("a.txt")) });
  expect(ended.exitCode).toBe(6);
  expect(JSON.parse(ended.stdout)).toMatchObject({ ok: false, errors: [{ code: "LOCK_HELD" }] });
  expect(existsSync(join(cwd, "a.txt"))).toBe(false);
});

test("Ctrl-C ends the wait of cox apply for a folder that another process has locked", async (context) => {
  if (process.platform !== "linux")
    context.skip("that it waits for the lock is seen in /proc, which only Linux has");
  const cwd = await heldFolder();
  writeFileSync(join(cwd, "reply.md"), replyOf(create("a.txt")));
  const child = spawn(process.execPath, [program, "apply", "reply.md"], { cwd, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", resolve));
  while (!hasOpen(child.pid ?? 0, lockOf(cwd))) await sleep(1);
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(existsSync(join(cwd, "a.txt"))).toBe(false);
});

test("a second Ctrl-C ends cox apply at once and says what the next command will do", async (context) => {
  if (process.platform !== "linux")
    context.skip("that it waits for the lock is seen in /proc, which only Linux has");
  const cwd = await heldFolder();
  writeFileSync(join(cwd, "reply.md"), replyOf(create("a.txt")));
  const child = spawn(process.execPath, [program, "apply", "reply.md"], { cwd });
  let notices = "";
  child.stderr.on("data", (text) => {
    notices += text;
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  while (!hasOpen(child.pid ?? 0, lockOf(cwd))) await sleep(1);
  // Two equal signals sent together may be delivered as one.
  child.kill("SIGINT");
  child.kill("SIGTERM");
  expect(await ended).toBe(130);
  expect(notices).toContain("The next cox command here finishes what was under way, or undoes it.");
});

/** A folder whose lock is held by somebody else for the whole test. */
async function heldFolder(): Promise<string> {
  const cwd = folderWith();
  mkdirSync(join(cwd, ".coxswain/changesets"), { recursive: true });
  const holder = spawn("flock", [lockOf(cwd), "sh", "-c", "echo held; sleep 60"], { detached: true });
  onTestFinished(() => {
    process.kill(-(holder.pid ?? 0));
  });
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  return cwd;
}

function lockOf(folder: string): string {
  return join(folder, ".coxswain/changesets/lock");
}

function hasOpen(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((fd) => {
    try {
      return readlinkSync(join(folder, fd)) === path;
    } catch {
      // Closed between the two calls.
      return false;
    }
  });
}
