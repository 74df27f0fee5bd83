/** The commands that only read: schema, stats, doctor, help. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../src/cli/table/commands.ts";
import { create, replyOf } from "../bad-inputs/row.ts";
import { folderWith } from "./folder.ts";
import { cox } from "./program.ts";
import { snapshot } from "./snapshot.ts";

test("cox schema prints a JSON Schema, and asks which one when none is named", async () => {
  const cwd = folderWith();
  const { exitCode, stdout } = await cox(["schema", "reply"], { cwd });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ type: "object", required: ["file_operations"] });
  const auditor = await cox(["schema", "auditor"], { cwd });
  expect(JSON.parse(auditor.stdout)).toMatchObject({ title: "Audit", required: ["verdict"] });
  expect((await cox(["schema"], { cwd })).exitCode).toBe(2);
  expect((await cox(["schema", "nope"], { cwd })).stderr).toContain("cox schema reply");
});

test("cox stats counts the promised operations and those that are on disk", async () => {
  const cwd = folderWith();
  const before = JSON.parse((await cox(["stats", "--json"], { cwd })).stdout);
  expect(before).toMatchObject({ ok: true, changesets: 0, promised: 0, persisted: 0, persistenceRate: 1 });
  await cox(["apply"], { cwd, stdin: replyOf(create("a"), create("b")) });
  const after = JSON.parse((await cox(["stats", "--json"], { cwd })).stdout);
  expect(after).toMatchObject({ changesets: 1, promised: 2, persisted: 2, verificationFailures: 0 });
  expect((await cox(["stats"], { cwd })).stdout).toContain("persistence rate      100 %\n");
});

test("cox doctor says of a folder without a repository only that no run can begin, and leaves nothing behind", async () => {
  const cwd = folderWith({ "a.txt": "a" });
  await cox(["apply"], { cwd, stdin: replyOf(create("b.txt")) });
  const before = snapshot(cwd);
  const { exitCode, stdout, stderr } = await cox(["doctor"], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(
    /^! repository +no run can start here \(GIT_NO_REPOSITORY\): .*\n {4}.*git init.*\n$/,
  );
  expect((await cox(["doctor", "--verbose"], { cwd })).stdout).toMatch(/^✓ node/);
  expect(JSON.parse((await cox(["doctor", "--json"], { cwd })).stdout)).toMatchObject({ ok: true });
  expect(snapshot(cwd)).toEqual(before);
});

test("cox doctor fails when the root does not exist", async () => {
  const { exitCode, stdout } = await cox(["doctor", "--root", "nowhere"], { cwd: folderWith() });
  expect(exitCode).toBe(5);
  expect(stdout).toMatch(/^✗ root .*nowhere.*\n {4}.*--root/);
});

test("a damaged ledger is reported, not repaired by guessing: exit 5, nothing changed", async () => {
  const cwd = folderWith();
  for (const name of ["a.txt", "b.txt"]) await cox(["apply"], { cwd, stdin: replyOf(create(name)) });
  const ledger = join(cwd, ".coxswain/changesets/ledger.jsonl");
  writeFileSync(ledger, readFileSync(ledger, "utf8").replace("{", "["));
  const before = snapshot(cwd);
  for (const command of ["apply", "undo", "stats", "doctor"]) {
    const ended = await cox([command, "--json"], { cwd, stdin: replyOf(create("c.txt")) });
    expect(ended.exitCode, command).toBe(5);
    expect(JSON.parse(ended.stdout).ok, command).toBe(false);
  }
  expect(snapshot(cwd)).toEqual(before);
});

test("every command answers --help with an example, and with nothing else", async () => {
  for (const { name, examples } of commands) {
    const { exitCode, stdout, stderr } = await cox([name, "--help"], { cwd: folderWith() });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain(examples[0]?.[0]);
  }
});

test("cox apply on a full disk is exit 74 and changes nothing, and works when there is space again", async (context) => {
  const cwd = folderWith();
  const small = join(cwd, "small");
  mkdirSync(small);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", small], { stdio: "pipe" });
  } catch {
    context.skip("a file system of its own can only be mounted by root");
  }
  try {
    const stdin = replyOf(create("small.txt", "x\n"), create("large.txt", "x".repeat(900_000)));
    const full = await cox(["apply", "--root", "small", "--json"], { cwd, stdin });
    expect(JSON.parse(full.stdout)).toMatchObject({ ok: false, errors: [{ code: "IO_ENOSPC" }] });
    expect(full.exitCode).toBe(74);
    expect(snapshot(small)).toEqual({});
    const fits = await cox(["apply", "--root", "small"], { cwd, stdin: replyOf(create("small.txt")) });
    expect(fits.exitCode).toBe(0);
  } finally {
    execFileSync("umount", [small]);
  }
});
