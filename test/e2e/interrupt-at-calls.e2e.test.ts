/**
 * Ctrl-C right before any system call of `cox apply`: report, exit code and files always agree, up to the last call and
 * beyond.
 */
import { expect, test } from "vitest";
import { create, edit, replyOf } from "../bad-inputs/row.ts";
import { sized } from "../sized.ts";
import { folderWith } from "./folder.ts";
import { type Call, findKiller } from "./killer.ts";
import { appliedIds } from "./ledger.ts";
import type { Ended } from "./program.ts";
import { snapshot } from "./snapshot.ts";

const files = {
  "a.txt": "one\n",
  "reply.md": replyOf(edit("a.txt", ["one", "two"]), create("b/c.txt", "new\n")),
};
const applying = ["apply", "reply.md", "--json", "--id", "k"];

/** How many interrupts at the end, when the report is out but the process is still there, and how many before. */
const moments = sized({
  sample: { last: 6, others: 12 },
  campaign: { last: Number.POSITIVE_INFINITY, others: 0 },
});

test("whenever Ctrl-C comes, the report of cox apply, its exit code and the files agree", async (context) => {
  const killer = findKiller();
  if (typeof killer === "string") return context.skip(killer);
  const before = snapshot(folderWith(files));
  const whole = folderWith(files);
  const { calls, exitCode } = await killer.watch(applying, { cwd: whole });
  expect(exitCode).toBe(0);
  const after = snapshot(whole);
  const ends = { killed: 0, interrupted: 0, done: 0 };
  for (const call of chosen(calls)) {
    const cwd = folderWith(files);
    const ended = await killer.interrupt(applying, { cwd }, call);
    const about = `before ${call.name} ${call.number}: ${JSON.stringify(ended)}`;
    const end = endOf(ended);
    expect(end, about).not.toBe("contradictory");
    expect(snapshot(cwd), about).toEqual(end === "done" ? after : before);
    expect(appliedIds(cwd), about).toEqual(end === "done" ? ["k"] : []);
    ends[end as keyof typeof ends] += 1;
  }
  // While the program loads, while it works, and after it has reported.
  expect(ends.killed).toBeGreaterThan(0);
  expect(ends.interrupted).toBeGreaterThan(0);
  expect(ends.done).toBeGreaterThanOrEqual(Math.min(moments.last, calls.length / 4));
});

function chosen(calls: readonly Call[]): Call[] {
  const first = calls.slice(0, -moments.last);
  const step = Math.max(1, first.length / moments.others);
  const spread = Array.from({ length: moments.others }, (_, at) => first[Math.floor(at * step)]);
  return [...spread, ...calls.slice(-moments.last)].filter((call) => call !== undefined);
}

/** It may be killed by the signal itself only before anything was reported. */
function endOf({ exitCode, signal, stdout }: Ended): "killed" | "interrupted" | "done" | "contradictory" {
  if (stdout === "") return signal === "SIGINT" ? "killed" : "contradictory";
  const { ok, errors } = JSON.parse(stdout);
  if (exitCode === 0 && ok === true) return "done";
  const isInterrupted = exitCode === 130 && ok === false && errors[0]?.code === "INTERRUPTED";
  return isInterrupted ? "interrupted" : "contradictory";
}
