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

test("no command is admitted before the run has started, and it starts once", () => {
  expect(admit(initialState(), stop())).toEqual({ refused: "run-not-started" });
  given(plan("a")).refuses({ command: "start", run: plan("a") }, { refused: "run-already-started" });
});

test("PLAN-20: a plan whose tasks are all done finishes at once, without a turn", () => {
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

test("the whole run is verified once more at the end, unless that very tree was", () => {
  const story = given(plan({ verify: ["make"] }, "a"), done("a")).wants("verify the run");
  story.when(finalCheck).wants(finish);
  given(plan({ verify: ["npm test"] }, "a"), done("a")).wants(finish);
});

test("a run whose final verification fails has failed, and may try it again", () => {
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

test("a run with a task that was given up has failed, with everything else done", () => {
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

test("a run with work left cannot finish", () => {
  const left = { refused: "not-possible-now" } as const;
  for (const step of [started("a"), replied("a"), worked("a"), checked("a"), passed("a"), committed("a")])
    given(plan("a audited"), step).refuses({ command: "finish" }, left);
});

test("a finished run cannot be finished, paused, stopped or resumed", () => {
  const story = given(plan("a"), done("a"), finished);
  for (const command of [{ command: "finish" } as const, pause(), stop(), resume()])
    story.refuses(command, { refused: "not-possible-now" });
});

test("a paused run dispatches no agent, but continues what costs no agent", () => {
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

test("pausing a paused run, or resuming a running one, records nothing", () => {
  const story = given(plan("a"));
  story.records(resume()).when(pause()).records(pause());
  story.when(stop()).records(stop());
});

test("a run paused by a failed act does nothing but its turns until a person resumes it", () => {
  const story = given(plan("a", "b", "c"), passed("a"), started("b"));
  story.records(trouble("merge:a#1@base"), "run_paused").wantsNothing();
  expect(story.state.status).toMatchObject({ reason: "trouble", detail: "the disk is full Make room." });
  story.when(resume()).wants(dispatch("c"), "merge a onto base");
});

test("a failed act that is no longer wanted does not pause the run", () => {
  const story = given(plan("a"), passed("a"));
  story.refuses(trouble("merge:a#1@elsewhere"), { refused: "stale" });
  story.when(committed("a"), advanced, finished).refuses(trouble("merge:a#1@base"), { refused: "stale" });
});

test("an agent whose start failed is not at work, and no attempt is counted", () => {
  const story = given(plan("a"), started("a"));
  story.records(trouble("turn:a.1.1"), "agent_crashed", "run_paused").wantsNothing();
  story.when(resume()).wants(dispatch("a"));
  expect(story.task("a").counts.turnsLost).toBe(0);
});

test("a process that leaves because only a person can continue records that, and no other does", () => {
  const story = given(plan("a"), asked("a"));
  story.records({ command: "leave-waiting" }, "session_ended").wantsNothing();
  given(plan("a"), started("a")).records({ command: "leave-waiting" });
});

test("a process that only records decisions is no resume; one that works is, and has its number", () => {
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

test("a new session records what it found, and which turns are lost", () => {
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

test("a lost turn lasted until the last sign of the run, and run time never goes back", () => {
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
