import { expect, test } from "vitest";
import { given } from "../../../test/kernel/given.ts";
import { dispatch } from "../../../test/kernel/in-words.ts";
import { ana, answer, confirm, deny, resume, retry } from "../../../test/kernel/person.ts";
import { asId, plan } from "../../../test/kernel/plan.ts";
import { someTree } from "../../../test/kernel/some-object-ids.ts";
import {
  asked,
  collected,
  crashed,
  done,
  failedCheck,
  finished,
  refusedReply,
  replied,
  started,
  wantsToDelete,
  worked,
} from "../../../test/kernel/steps.ts";
import { allowanceKey } from "../state.ts";

const failing = [crashed("a"), crashed("a"), crashed("a")];

test("an agent's question holds its task and the tasks that depend on it, and no others", () => {
  const story = given(plan("a", "b after a", "c"), asked("a")).wants(dispatch("c"));
  expect(story.phases()).toEqual({ a: "held", b: "waiting", c: "ready" });
  expect(story.question("q1")).toMatchObject({ kind: "guidance", agent: "dev", text: "tabs or spaces?" });
});

test("a question holds all tasks where the plan says so, until it is answered", () => {
  const story = given(plan({ on_question: "hold-all" }, "a", "b"), asked("a")).wantsNothing();
  story.when(answer("q1", "tabs")).wants(dispatch("a"));
});

test("a person's answer is in the next prompt, at the desk as it was left", () => {
  const story = given(plan("a"), asked("a"));
  story.records(answer("q1", "tabs"), "divine_response_received", "agent_resumes_with_guidance");
  expect(story.task("a")).toMatchObject({
    guidance: [{ question: "tabs or spaces?", answer: "tabs" }],
    desk: { keep: true },
    attempt: 1,
  });
  story.wants(dispatch("a"));
});

test("an answer settles the notes of its question, and nothing is settled before", () => {
  const raised = { kind: "question", text: "a note", options: [], settles: ["n1", "n2"] } as const;
  const story = given(plan("a", "b"), collected("a", raised));
  expect(story.task("a")).toMatchObject({ settled: [] });
  story.when(answer("q1", "so be it"));
  expect(story.task("a")).toMatchObject({ settled: ["n1", "n2"] });
  expect(story.task("b")).toMatchObject({ settled: [] });
});

test("work handed in with a question is kept for the next turn, even if the desk is lost, until other work is handed in", () => {
  const beside = {
    kind: "question",
    text: "so?",
    options: [],
    tree: someTree("t7"),
    carriedOut: "d1",
  } as const;
  const story = given(plan("a"), collected("a", beside), answer("q1", "yes"));
  expect(story.task("a").desk).toMatchObject({ tree: "t7", keep: true, carriedOut: "d1" });
  story.when(worked("a"));
  expect(story.task("a").desk).not.toHaveProperty("carriedOut");
});

test("a question is answered once, and a later answer is refused with who answered first, and what", () => {
  const story = given(plan("a"), asked("a"), answer("q1", "tabs"));
  story.refuses(answer("q1", "spaces"), { refused: "already-decided", decision: "tabs", by: ana });
});

test("an answer to an unknown question is refused, with the open ones named", () => {
  const story = given(plan("a"), asked("a"));
  story.refuses(answer("q7", "tabs"), { refused: "unknown-question", open: [story.question("q1").question] });
});

test("a question wants an answer and a confirmation a yes or no", () => {
  const story = given(plan("a", "b"), asked("a"), wantsToDelete("b"));
  story.refuses(confirm("q1"), { refused: "wrong-kind-of-question", wants: "answer" });
  story.refuses(deny("q1"), { refused: "wrong-kind-of-question", wants: "answer" });
  story.refuses(answer("q2", "yes"), { refused: "wrong-kind-of-question", wants: "confirm" });
});

test("a change that only a person may allow waits, with exactly what it is", () => {
  const story = given(plan("a", "b"), wantsToDelete("a", "old.ts", "d1")).wants(dispatch("b"));
  expect(story.question("q1")).toMatchObject({ kind: "confirmation", digest: "digest of old.ts" });
  expect(story.phase("a")).toBe("held");
});

test("a confirmation allows one content at one path, and the same reply is collected again", () => {
  const story = given(plan("a"), wantsToDelete("a", "old.ts", "d1"));
  story.records(confirm("q1"), "confirmation_given").wants("collect a");
  expect(story.log.at(-1)?.data).toMatchObject({ digest: "digest of old.ts", by: ana });
  expect(story.task("a").allowed).toEqual([allowanceKey({ path: "old.ts", sha256: "d1" })]);
  const [effect] = story.decide().effects;
  expect(effect).toMatchObject({ effect: "collect", turn: "a.1.1", allowed: story.task("a").allowed });
});

test("allowing one content at a path allows no other content or path", () => {
  const keys = [
    { path: "a", sha256: "1" },
    { path: "a", sha256: "2" },
    { path: "b", sha256: "1" },
  ].map(allowanceKey);
  expect(new Set(keys).size).toBe(3);
});

test("a reply that needs more confirmations asks again, and is collected again after each yes", () => {
  const story = given(plan("a"), wantsToDelete("a", "1"), confirm("q1"));
  const [first] = story.decide().effects;
  story.when(wantsToDelete("a", "2"), confirm("q2"));
  const [second] = story.decide().effects;
  expect(second?.key).not.toBe(first?.key);
  expect(story.task("a").allowed).toHaveLength(2);
});

test("a refused confirmation sends the work back, with what was not allowed and why", () => {
  const story = given(plan("a"), wantsToDelete("a"));
  story.records(deny("q1", "it is still needed"), "confirmation_denied").wants(dispatch("a"));
  expect(story.task("a").feedback).toMatchObject([
    { code: "DENIED", message: "a person denied the change of old.ts: it is still needed" },
  ]);
  expect(story.state.replies.size).toBe(0);
  story.refuses(confirm("q1"), { refused: "already-decided", decision: "denied: it is still needed" });
});

test("a confirmation that waits is still there after a restart, and its reply too", () => {
  const story = given(plan("a"), wantsToDelete("a"), {
    command: "open-session",
    pid: 2,
    version: "0",
    replayed: 1,
    recovered: [],
    isWorking: true,
  });
  story.when(confirm("q1")).wants("collect a");
});

test("an answer retries a failed task, with every counter at zero and the answer in the prompt", () => {
  const story = given(plan("a"), failedCheck("a"), ...failing);
  story.records(answer("q1", "use the other port"), "divine_response_received", "task_retried");
  story.wants(dispatch("a"));
  expect(story.task("a")).toMatchObject({
    attempt: 3,
    counts: { turnsLost: 0, roundsFailed: 0, auditsFailed: 1 },
    guidance: [{ answer: "use the other port" }],
  });
});

test("a retry without an answer adds nothing to the prompt", () => {
  expect(given(plan("a"), ...failing, answer("q1", " Retry ")).task("a").guidance).toEqual([]);
});

test("giving up a task leaves it failed, and the run ends when nothing else is left", () => {
  const story = given(plan("a", "b after a", "c"), ...failing);
  story.records(answer("q1", "give up"), "divine_response_received").wants(dispatch("c"));
  story.when(done("c")).wants("finish");
});

test("a failed task is retried without an answer, and its question withdrawn", () => {
  const story = given(plan("a"), ...failing);
  story.records(retry("a"), "question_withdrawn", "task_retried").wants(dispatch("a"));
  expect(story.task("a").desk).toMatchObject({ keep: true });
  story.refuses(answer("q1", "x"), { refused: "not-possible-now" });
});

test("a retry from the beginning drops the desk, the work and the findings", () => {
  const story = given(plan("a", "b"), refusedReply("a"), ...failing, done("b"), retry("a", { afresh: true }));
  expect(story.task("a")).toMatchObject({ desk: undefined, work: undefined, feedback: [] });
  story.when(started("a"));
  expect(story.task("a").desk).toMatchObject({ base: story.state.tip, keep: false });
});

test("only a failed task can be retried", () => {
  const story = given(plan("a", "b after a"));
  story.refuses(retry("a"), { refused: "illegal-transition", from: "ready", to: "working" });
  story.refuses(retry("b"), { refused: "illegal-transition", from: "waiting" });
  story.when(done("a")).refuses(retry("a"), { refused: "illegal-transition", from: "done" });
});

test("a task retried after the end of the run waits for a resume", () => {
  const story = given(plan("a"), ...failing, answer("q1", "give up"), finished);
  story.refuses(resume(), { refused: "not-possible-now", why: expect.stringContaining("retried: a") });
  story.when(retry("a")).wantsNothing();
  expect(story.state.status).toEqual({ name: "stopped" });
  story.when(resume()).wants(dispatch("a"));
});

test("an answer that is sent twice counts once", () => {
  const by = { ...ana, request: "r-1" };
  const story = given(plan("a"), asked("a"), answer("q1", "tabs", by));
  story.refuses(answer("q1", "tabs", by), { refused: "request-already-handled", request: "r-1" });
  story.refuses(resume(undefined, by), { refused: "request-already-handled" });
});

test("a retry of an unknown task is refused, with the tasks that the plan has", () => {
  given(plan("a", "b")).refuses(retry("c"), { refused: "unknown-task", known: [asId("a"), asId("b")] });
});

test("while a task waits for a person its slot is free and its reply is not lost", () => {
  const story = given(plan({ active_developers: 1 }, "a", "b"), wantsToDelete("a"), replied("b"));
  story.when(confirm("q1")).wants("collect a", "collect b");
  story.when(done("b"), done("a")).wants("finish");
});
