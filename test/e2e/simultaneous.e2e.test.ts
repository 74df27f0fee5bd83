/** Many programs at once on one root: the lock lets them in one after the other, and nothing is lost or duplicated. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { append, create, replyOf } from "../bad-inputs/row.ts";
import { sized } from "../sized.ts";
import { folderWith } from "./folder.ts";
import { appliedIds, ledgerOf } from "./ledger.ts";
import { cox, start } from "./program.ts";
import { snapshot } from "./snapshot.ts";

const ids = Array.from({ length: 8 }, (_, at) => `turn-${at}`);

/** Two files per id, in a folder that all of them create. */
const ownFiles = (id: string) => [
  create(`all/${id}.txt`, `${id}\n`),
  create(`all/${id}/deep.txt`, `${id}\n`),
];

/** Whether it was applied. Anything but "applied", "refused" and "the lock is taken" is a failure. */
async function applyAt(cwd: string, id: string, reply: string): Promise<boolean> {
  const { exitCode, stdout } = await cox(["apply", "--json", "--id", id], { cwd, stdin: reply });
  expect([0, 1, 6], stdout).toContain(exitCode);
  expect(JSON.parse(stdout).ok).toBe(exitCode === 0);
  return exitCode === 0;
}

/** Starts all of them at once and returns the ids that reported success. */
async function applyAll(cwd: string, wanted: readonly string[], reply: (id: string) => string) {
  const applied = await Promise.all(wanted.map((id) => applyAt(cwd, id, reply(id))));
  return wanted.filter((_, at) => applied[at]);
}

test("eight replies applied at once in a fresh folder, each with its own files, are applied once each", async () => {
  for (let round = 0; round < sized({ sample: 1, campaign: 20 }); round++) {
    const cwd = folderWith();
    const applied = await applyAll(cwd, ids, (id) => replyOf(...ownFiles(id)));
    expect(appliedIds(cwd).sort()).toEqual(applied);
    const expected = applied.flatMap((id) => [`all/${id}`, `all/${id}.txt`, `all/${id}/deep.txt`]);
    expect(Object.keys(snapshot(cwd)).sort()).toEqual(["all", ...expected].sort());
    // None of them depends on another, so only the lock could have kept one out.
    if (applied.length < ids.length) await expectLockedOut(cwd, applied);
  }
});

/** On a machine so busy that eight do not finish in the ten seconds each one waits, the rest follows later. */
async function expectLockedOut(cwd: string, applied: readonly string[]): Promise<void> {
  for (const id of ids.filter((one) => !applied.includes(one)))
    expect(await applyAt(cwd, id, replyOf(...ownFiles(id)))).toBe(true);
}

test("of eight replies that append to one file at once, the ones reported as applied are in it once, the others leave no trace", async () => {
  const cwd = folderWith({ "common.txt": "first\n" });
  const reply = (id: string) => replyOf(append("common.txt", `${id}\n`), ...ownFiles(id));
  let waiting = ids;
  for (let round = 0; waiting.length > 0; round++) {
    const applied = await applyAll(cwd, waiting, reply);
    expect(applied.length, `round ${round}: somebody gets in`).toBeGreaterThan(0);
    waiting = waiting.filter((id) => !applied.includes(id));

    const inLedger = appliedIds(cwd);
    expect(readFileSync(join(cwd, "common.txt"), "utf8")).toBe(["first", ...inLedger, ""].join("\n"));
    expect([...inLedger].sort()).toEqual(ids.filter((id) => !waiting.includes(id)));
    const inFolder = Object.keys(snapshot(cwd)).filter((path) => path.endsWith("/deep.txt"));
    expect(inFolder.sort()).toEqual([...inLedger].sort().map((id) => `all/${id}/deep.txt`));
  }
});

test("of eight replies applied at once with one id, one is applied", async () => {
  const cwd = folderWith({ "common.txt": "first\n" });
  await Promise.all(ids.map(() => applyAt(cwd, "same", replyOf(append("common.txt", "second\n")))));
  expect(appliedIds(cwd)).toEqual(["same"]);
  expect(readFileSync(join(cwd, "common.txt"), "utf8")).toBe("first\nsecond\n");
});

test("a stopped process keeps its lock on the folder, and finishes its changeset when it continues", async (context) => {
  if (process.platform !== "linux") context.skip("needs /proc, to know when a process has stopped");
  const operations = Array.from({ length: 800 }, (_, at) => create(`many/${at}.txt`, `${at}\n`));
  const cwd = folderWith({ "kept.txt": "kept\n" });
  const holder = start(["apply", "--id", "holder"], { cwd, stdin: replyOf(...operations) });
  onTestFinished(() => void holder.child.kill("SIGKILL"));
  const stage = join(cwd, ".coxswain/changesets/holder");
  while (!existsSync(stage) && holder.child.exitCode === null) await sleep(1);
  holder.child.kill("SIGSTOP");
  while (stateOf(holder.child.pid) !== "T") await sleep(1);
  const stopped = { tree: snapshot(cwd), ledger: ledgerOf(cwd) };

  const args = ["apply", "--json", "--id", "second"];
  const second = await cox(args, { cwd, stdin: replyOf(create("second.txt")) });
  expect(second.exitCode).toBe(6);
  const { errors } = JSON.parse(second.stdout);
  expect(errors).toMatchObject([
    { code: "LOCK_HELD", message: expect.stringContaining(`${holder.child.pid}`) },
  ]);
  expect({ tree: snapshot(cwd), ledger: ledgerOf(cwd) }).toEqual(stopped);

  holder.child.kill("SIGCONT");
  expect((await holder.ended).exitCode).toBe(0);
  expect(appliedIds(cwd)).toEqual(["holder"]);
  expect(Object.keys(snapshot(cwd))).toHaveLength(802);
  expect((await cox(args, { cwd, stdin: replyOf(create("second.txt")) })).exitCode).toBe(0);
});

/** The process state as one letter from the kernel: T is stopped. */
function stateOf(pid: number | undefined): string | undefined {
  return readFileSync(`/proc/${pid}/stat`, "utf8").match(/\) (\w)/)?.[1];
}
