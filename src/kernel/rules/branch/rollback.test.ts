import { expect, test } from "vitest";
import { given } from "../../../../test/kernel/given.ts";
import { dispatch } from "../../../../test/kernel/in-words.ts";
import { ana, resume, rollback, stop } from "../../../../test/kernel/person.ts";
import { asId, plan } from "../../../../test/kernel/plan.ts";
import { someCommit, someTree } from "../../../../test/kernel/some-object-ids.ts";
import {
  advanced,
  asked,
  branchWorked,
  committable,
  committed,
  crashed,
  done,
  finalCheck,
  finished,
  merged,
  passed,
  replied,
  revertConflicts,
  reverted,
  started,
  turnsEnded,
} from "../../../../test/kernel/steps.ts";
import type { CommitId } from "../../../std/object-id.ts";
import type { Command } from "../../command.ts";

test("rolling a task back adds a revert on top, and the task is ready again", () => {
  const story = given(plan("a", "b"), done("a"), done("b"));
  const before = story.state.tip;
  story.records(rollback("a"), "rollback_requested").wants(`revert a onto ${before}`);
  story.when(reverted("a"), advanced);
  expect(story.phases()).toEqual({ a: "ready", b: "done" });
  expect(story.log.at(-1)).toMatchObject({
    event: "task_rolled_back",
    data: { task: "a", from_sha: before, to_sha: story.state.tip },
  });
  story.wants(dispatch("a"));
  expect(story.task("a")).toMatchObject({ attempt: 2, work: undefined, desk: undefined, outputs: [] });
});

test("a task that done tasks depend on is not rolled back alone; they are named", () => {
  const chain = plan("a", "b after a", "c after b", "d after a");
  const story = given(chain, done("a"), done("b"), done("c"));
  story.records(rollback("a"), "rollback_blocked");
  expect(story.log.at(-1)?.data).toMatchObject({ dependents: expect.arrayContaining(["b", "c"]) });
  expect(story.state.queue).toEqual([]);
});

test("a cascade reverts the last commit first, even if all were made at the same instant", () => {
  const chain = plan("a", "b after a", "c after b", "x");
  const story = given(chain, done("a"), done("b"), done("x"), done("c"));
  const { tip } = story.state;
  story.when(rollback("a", { cascade: true })).wants(`revert c onto ${tip}`);
  story.when(reverted("c"));
  const [key = ""] = story.decide().effects.map(({ key }) => key);
  expect(key).toMatch(/^revert:b@c\d+$/);
  expect(key).not.toContain(tip);
  story.when(reverted("b"), reverted("a"));
  expect(story.state.tip).toBe(tip);
  story.when(advanced);
  const taken = story.log.flatMap(({ event, data }) => (event === "task_rolled_back" ? [data] : []));
  expect(taken.map(({ task }) => task)).toEqual(["c", "b", "a"]);
  expect(taken[0]?.from_sha).toBe(tip);
  expect(taken[1]?.from_sha).toBe(taken[0]?.to_sha);
  expect(story.state.tip).toBe(taken[2]?.to_sha);
  expect(story.phases()).toEqual({ a: "ready", b: "waiting", c: "waiting", x: "done" });
});

test("agents working on top of a task stop only once it is reverted", () => {
  const story = given(plan("a", "b after a", "c after b"), done("a"), started("b"), rollback("a"));
  story.when(reverted("a"));
  expect(story.phase("b")).toBe("working: turn");
  story.when(advanced).wants(dispatch("a"), "end b.1.1: it depends on a, which was reverted");
  expect(story.phases()).toEqual({ a: "ready", b: "waiting", c: "waiting" });
  story.when(turnsEnded, done("a")).wants(dispatch("b"));
  expect(story.task("b").attempt).toBe(2);
});

test("no agent starts on top of a task that is being reverted", () => {
  const story = given(plan("a", "b after a"), done("a"), crashed("b"), rollback("a"));
  story.wants(`revert a onto ${story.state.tip}`);
});

test("a task that waits for the branch on top of a reverted task starts again", () => {
  const story = given(plan("a", "b after a", "c"), done("a"), passed("b"), passed("c"));
  story.when(rollback("a"), reverted("a"), advanced);
  expect(story.state.queue).toEqual([{ of: "task", task: "c" }]);
  expect(story.phase("b")).toBe("waiting");
  story.when(done("c"), done("a"), done("b")).wants("finish");
});

test("the question of a task that stops for a rollback is withdrawn", () => {
  const story = given(plan("a", "b after a"), done("a"), asked("b"), rollback("a"), branchWorked);
  expect(story.question("q1").decision).toEqual({ withdrawn: "it depends on a, which was reverted" });
  story.refuses(
    {
      command: "answer",
      question: story.question("q1").question,
      answer: "x",
      by: { who: "ana", door: "terminal" },
    },
    { refused: "not-possible-now" },
  );
});

test("a revert that conflicts leaves everything as it was, and names the tasks in the way", () => {
  const story = given(plan("a", "b after a", "c after a", "d"), done("a"), done("b"), started("c"));
  const before = { tip: story.state.tip, phases: story.phases(), work: structuredClone(story.task("c")) };
  story.when(rollback("a", { cascade: true }), reverted("b"), revertConflicts("a", "a.ts", "b.ts"));
  expect({ tip: story.state.tip, phases: story.phases(), work: structuredClone(story.task("c")) }).toEqual(
    before,
  );
  expect(story.log.at(-1)).toMatchObject({
    event: "rollback_failed",
    data: { task: "a", reason: "later changes are in the way: a.ts, b.ts" },
  });
  story.wants(dispatch("d"));
  story.when(done("c"), done("d")).wants("finish");
});

test("the tasks in the way of a revert are found by the files that they committed later", () => {
  const story = given(plan("a", "b"), done("a"), done("b"), rollback("a"), revertConflicts("a", "b.ts"));
  expect(story.log.at(-1)?.data).toMatchObject({
    reason: "later changes are in the way: b.ts (changed by b)",
  });
});

test("a task done before the run has no commit to revert, and asking does not disturb a running rollback", () => {
  const story = given(plan("a", "b done"), done("a"), rollback("a"));
  const { tip } = story.state;
  story.records(rollback("b"), "rollback_failed").wants(`revert a onto ${tip}`);
  expect(story.log.at(-1)?.data).toMatchObject({ reason: "no_commit_recorded" });
  expect(story.phase("a")).toBe("reverting");
});

test("a task without a recorded commit is not rolled back, and the log says who asked", () => {
  const story = given(plan("a", "b after a"), started("a"));
  for (const task of ["a", "b"]) {
    story.records(rollback(task), "rollback_failed");
    expect(story.log.at(-1)?.data).toEqual({ task, reason: "no_commit_recorded", by: ana });
  }
  expect(story.phases()).toEqual({ a: "working: turn", b: "waiting" });
});

test("a task that is being reverted is not reverted twice", () => {
  const story = given(plan("a"), done("a"), rollback("a"));
  story.refuses(rollback("a"), { refused: "illegal-transition", from: "reverting", to: "pending" });
});

test("a rollback request that comes twice is refused once in the log", () => {
  const by = { ...ana, request: "r1" };
  const story = given(plan("a", "b after a"), done("a"), done("b"));
  story.records(rollback("a", { by }), "rollback_blocked");
  story.refuses(rollback("a", { by }), { refused: "request-already-handled" });
});

const refusal = (task: string, paths?: readonly string[]): Command => ({
  command: "log-rollback-refusal",
  task: asId(task),
  cascade: false,
  ...(paths && { conflict: { task: asId(task), paths } }),
  by: ana,
});

test("a rollback that the command line found impossible is logged as the kernel judges it", () => {
  const story = given(plan("a", "b after a", "c"), done("a"), done("b"));
  story.records(refusal("a"), "rollback_blocked").records(refusal("c"), "rollback_failed");
  expect(story.log.at(-2)?.data).toMatchObject({ dependents: ["b"], by: ana });
});

test("a rollback blocked by later changes is logged with their tasks, and nothing is tried", () => {
  const story = given(plan("a", "b"), done("a"), done("b"));
  const [file = ""] = fileOf(story, "b");
  story.records(refusal("a", [file]), "rollback_failed");
  expect(story.log.at(-1)?.data).toMatchObject({
    reason: `later changes are in the way: ${file} (changed by b)`,
  });
  expect(story.phases()).toEqual({ a: "done", b: "done" });
});

test("a refused rollback that has become possible since is not done: nobody said yes to it", () => {
  const story = given(plan("a"), done("a"));
  story.records(refusal("a"));
  expect(story.phase("a")).toBe("done");
});

function fileOf(story: ReturnType<typeof given>, id: string): readonly string[] {
  const { phase } = story.task(id);
  return phase.name === "done" ? (phase.commit?.files ?? []) : [];
}

test("only one rollback runs at a time, and none while the branch moves", () => {
  const story = given(plan("a", "b"), done("a"), committed("b"));
  story.refuses(rollback("a"), { refused: "not-possible-now" });
  story.when(advanced, rollback("a"));
  story.refuses(rollback("b"), { refused: "not-possible-now" });
});

test.each(["merge", "verify", "commit"] as const)(
  "a task that waits on the branch (%s) lets a rollback pass and is merged again",
  (step) => {
    const story = given(plan("a", "b"), replied("b"), done("a"), passed("b"));
    if (step !== "merge") story.when(merged("b"));
    if (step === "commit") story.when(committable("b"));
    expect(story.phase("b")).toBe(`integrating: ${step}`);
    story.when(rollback("a"), reverted("a"), advanced);
    story.wants(dispatch("a"), `merge b onto ${story.state.tip}`);
    story.when(done("b"), done("a")).wants("finish");
  },
);

test("a merge that was running when a rollback came is used if nothing was reverted, and repeated otherwise", () => {
  const merge = (onto: CommitId) =>
    ({
      command: "merged",
      task: asId("b"),
      onto,
      result: { kind: "clean", tree: someTree("both"), files: [] },
    }) as const;
  const begin = () => given(plan("a", "b"), replied("b"), done("a"), passed("b"), rollback("a"));
  const failed = begin();
  failed.when(merge(failed.state.tip), revertConflicts("a", "x.ts")).wants(`verify b on ${failed.state.tip}`);
  const succeeded = begin();
  const { tip } = succeeded.state;
  succeeded.when(reverted("a"), advanced).refuses(merge(tip), { refused: "stale" });
  succeeded.wants(dispatch("a"), `merge b onto ${succeeded.state.tip}`);
});

test("the whole run is verified once after a rollback, however many tasks were reverted", () => {
  const story = given(plan({ verify: ["make"] }, "a", "b after a"), done("a"), done("b"));
  story.when(rollback("a", { cascade: true }), reverted("b"), reverted("a"), advanced);
  story.wants(dispatch("a"), "verify the rollback");
  story.when(branchWorked).wants(dispatch("a"));
});

test("a task can be rolled back after the run ended, and the run continues when resumed", () => {
  const story = given(plan({ verify: ["make"] }, "a"), done("a"), finalCheck, finished);
  story.when(rollback("a"), revertConflicts("a", "x.ts"));
  expect(story.state.status).toEqual({ name: "finished", outcome: "done" });
  story.when(rollback("a"), branchWorked).wantsNothing();
  expect(story.state.status).toEqual({ name: "stopped" });
  expect(story.state.finalVerify).toBeUndefined();
  story.when(resume()).wants(dispatch("a"));
  story.when(done("a")).wants("verify the run");
});

test("a stopped run can still roll a task back", () => {
  const story = given(plan("a"), done("a"), stop(), rollback("a"), branchWorked).wantsNothing();
  expect(story.phases()).toEqual({ a: "ready" });
});

test("the outcome of a revert that is not awaited is refused", () => {
  const story = given(plan("a", "b"), done("a"), done("b"));
  const made = { kind: "committed", tree: someTree("t"), commit: someCommit("c") } as const;
  const reverting = (task: string, onto: CommitId) =>
    ({ command: "reverted", task: asId(task), onto, result: made }) as const;
  story.refuses(reverting("a", story.state.tip), { refused: "stale" });
  story.when(rollback("a"));
  story.refuses(reverting("b", story.state.tip), { refused: "stale" });
  story.refuses(reverting("a", someCommit("elsewhere")), { refused: "stale" });
});
