import { expect, test } from "vitest";
import { given } from "../../../../test/kernel/given.ts";
import { dispatch, finish } from "../../../../test/kernel/in-words.ts";
import { answer, pause, resume, retry, stop, trouble } from "../../../../test/kernel/person.ts";
import { plan } from "../../../../test/kernel/plan.ts";
import {
  advanced,
  asked,
  checked,
  committed,
  crashed,
  done,
  failedFinalCheck,
  finalCheck,
  finished,
  killed,
  later,
  passed,
  replied,
  started,
  worked,
} from "../../../../test/kernel/steps.ts";
import { admit } from "../../admit.ts";
import { initialState } from "../../initial.ts";

const failing = [crashed("a"), crashed("a"), crashed("a")];

test("nothing is admitted before the run has started, and it starts once", () => {
  expect(admit(initialState(), stop())).toEqual({ refused: "run-not-started" });
  given(plan("a")).refuses({ command: "start", run: plan("a") }, { refused: "run-already-started" });
});

test("PLAN-20: a plan whose every task is done finishes at once, and nobody is dispatched", () => {
  given(plan({ verify: ["make"] }, "a done", "b done after a")).wants(finish);
  const story = given(plan({ verify: ["make"] }, "a done"), finished).wantsNothing();
  expect(story.state.status).toEqual({ name: "finished", outcome: "done" });
  expect(story.events()).toEqual(["run_started", "run_finished"]);
});

test("a run is done when every task is", () => {
  const story = given(plan("a", "b after a"), done("a"), done("b")).wants(finish);
  story.when(finished).wantsNothing();
  expect(story.state.status).toEqual({ name: "finished", outcome: "done" });
});

test("the whole is verified once more at the end, unless that very tree was", () => {
  const story = given(plan({ verify: ["make"] }, "a"), done("a")).wants("verify the run");
  story.when(finalCheck).wants(finish);
  given(plan({ verify: ["npm test"] }, "a"), done("a")).wants(finish);
});

test("a run whose whole does not pass has failed, and may try that again", () => {
  const story = given(plan({ verify: ["make"] }, "a"), done("a"), failedFinalCheck).wants(finish);
  story.when(finished);
  expect(story.state.status).toEqual({ name: "finished", outcome: "failed" });
  story.when(resume()).wants("verify the run");
  story.when(finalCheck, finished);
  expect(story.state.status).toEqual({ name: "finished", outcome: "done" });
});

test("a run that waits for a person never finishes", () => {
  given(plan("a"), asked("a")).wantsNothing();
  given(plan("a"), ...failing).wantsNothing();
});

test("a run with a task that was given up has failed, with all that could be done done", () => {
  const story = given(plan("a", "b after a", "c"), ...failing, answer("q1", "give up"));
  story.wants(dispatch("c")).when(done("c"), finished);
  expect(story.state.status).toEqual({ name: "finished", outcome: "failed" });
  expect(story.phases()).toEqual({ a: "failed", b: "waiting", c: "done" });
});

test("a run by levels ends at a level that cannot be completed", () => {
  const run = plan({ schedule: "levels" }, "a", "b", "c after b");
  const story = given(run, ...failing, answer("q1", "give up"), done("b")).wants(finish);
  expect(story.phase("c")).toBe("ready");
  story.when(finished, retry("a"), resume(), done("a")).wants(dispatch("c"));
});

test("nothing finishes that has something left to do", () => {
  const left = { refused: "not-possible-now" } as const;
  for (const step of [started("a"), replied("a"), worked("a"), checked("a"), passed("a"), committed("a")])
    given(plan("a audited"), step).refuses({ command: "finish" }, left);
});

test("a run that is over is not finished, paused or stopped again, and does not go on", () => {
  const story = given(plan("a"), done("a"), finished);
  for (const command of [{ command: "finish" } as const, pause(), stop(), resume()])
    story.refuses(command, { refused: "not-possible-now" });
});

test("a paused run dispatches nobody, and what costs no agent goes on", () => {
  const story = given(plan("a", "b"), started("a"), pause()).wantsNothing();
  story.when(worked("a")).wants("verify a");
  story.when(done("a")).wantsNothing();
  story.when(resume()).wants(dispatch("b"));
});

test("a stopped run ends its turns and does nothing, until it is resumed", () => {
  const story = given(plan("a", "b"), worked("a"), started("b"), stop());
  story.wants("end b.1.1: the run was stopped");
  story.when(resume()).wants("end b.1.1: the run was stopped", "verify a");
});

test("what is so already is asked for in vain, and nothing is recorded", () => {
  const story = given(plan("a"));
  story.records(resume()).when(pause()).records(pause());
  story.when(stop()).records(stop());
});

test("a run in trouble does nothing but its turns until a person resumes it", () => {
  const story = given(plan("a", "b", "c"), passed("a"), started("b"));
  story.records(trouble("merge:a#1@base"), "run_paused").wantsNothing();
  expect(story.state.status).toMatchObject({ reason: "trouble", detail: "the disk is full Make room." });
  story.when(resume()).wants(dispatch("c"), "merge a onto base");
});

test("trouble with what nobody waits for is no trouble", () => {
  const story = given(plan("a"), passed("a"));
  story.refuses(trouble("merge:a#1@elsewhere"), { refused: "stale" });
  story.when(committed("a"), advanced, finished).refuses(trouble("merge:a#1@base"), { refused: "stale" });
});

test("an agent that could not be started for trouble is not at work", () => {
  const story = given(plan("a"), started("a"));
  story.records(trouble("turn:a.1.1"), "agent_crashed", "run_paused").wantsNothing();
  story.when(resume()).wants(dispatch("a"));
  expect(story.task("a").counts.turnsLost).toBe(0);
});

test("whoever leaves because only a person can go on says so, and nobody else does", () => {
  const story = given(plan("a"), asked("a"));
  story.records({ command: "leave-waiting" }, "session_ended").wantsNothing();
  given(plan("a"), started("a")).records({ command: "leave-waiting" });
});

test("a process that only records is no resume; one that works is, and says the how-manieth", () => {
  const session = { command: "open-session", pid: 7, version: "0", replayed: 0, recovered: [] } as const;
  const story = given(plan("a"));
  story.when({ ...session, isWorking: true });
  for (const isWorking of [false, true, false, true]) story.when({ ...session, isWorking });
  const said = story.log.flatMap(({ event, data }) => (event === "session_started" ? [data] : []));
  expect(said.slice(-4)).toMatchObject([
    { resumes: said.length - 5, only_records: true },
    { resumes: said.length - 4 },
    { resumes: said.length - 4, only_records: true },
    { resumes: said.length - 3 },
  ]);
});

test("a new writer says what it found, and whose turns are lost", () => {
  const story = given(plan("a", "b"), started("a"), replied("b"));
  story.records(
    {
      command: "open-session",
      pid: 7,
      version: "0",
      replayed: 9,
      recovered: ["a torn tail"],
      isWorking: true,
    },
    "session_started",
    "state_recovery_needed",
    "state_reconstructed",
    "agent_crashed",
  );
  story.wants(dispatch("a"), "collect b");
});

test("a lost turn took the time until the last that was heard of the run, which never runs back", () => {
  const story = given(plan("a", "b"), started("a"), later(5000), started("b"), later(-3000), pause());
  expect(story.state.time).toBe(5000);
  story.when(killed);
  expect(story.task("a").spent.ms).toBe(5000);
});

test("a stopped turn is not called lost by the next writer", () => {
  const story = given(plan("a"), started("a"), stop(), killed);
  expect(story.log.at(-1)).toMatchObject({
    event: "agent_cancelled",
    data: { reason: "the run was stopped" },
  });
});
