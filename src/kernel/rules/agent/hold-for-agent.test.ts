import { expect, test } from "vitest";
import { given } from "../../../../test/kernel/given.ts";
import { audit, dispatch } from "../../../../test/kernel/in-words.ts";
import { answer, retry, rollback } from "../../../../test/kernel/person.ts";
import { plan } from "../../../../test/kernel/plan.ts";
import {
  branchWorked,
  checked,
  crashed,
  done,
  killed,
  orderTo,
  started,
} from "../../../../test/kernel/steps.ts";
import type { Command } from "../../command.ts";
import type { QuestionId } from "../../event.ts";

const q1 = "q1" as QuestionId;
const signIn = (id: string) => crashed(id, "AGENT_NOT_SIGNED_IN", { message: "dev has no key: run x login" });
const asks = (task: string) => ({ command: "hold-for-agent", task }) as Command;

test("if the only agent is out, a person is asked once, however many tasks it has", () => {
  const story = given(plan("a", "b", "c"), started("a"), started("b"), signIn("a"), signIn("b"));
  story.wants("ask for a").records(asks("a"), "question_asked").wantsNothing();
  expect(story.phases()).toEqual({ a: "held", b: "working: due", c: "ready" });
  expect(story.question("q1")).toMatchObject({ agents: ["dev"], options: ["retry", "give up"] });
  expect(story.question("q1").text).toBe(
    'No agent is left to do it. dev has no key: run x login. Fix that and answer "retry", or answer "give up"; any other answer goes to the agent.',
  );
  expect(story.decide().isResting).toBeUndefined();
});

test("an answer about a missing agent brings it back for all its tasks, and no attempt is lost", () => {
  const story = given(plan("a", "b"), signIn("a"), asks("a"));
  story.records(
    answer("q1", "retry"),
    "divine_response_received",
    "agent_returned",
    "agent_resumes_with_guidance",
  );
  story.wants(dispatch("a"));
  expect(story.task("a")).toMatchObject({ attempt: 1, counts: { turnsLost: 0 }, guidance: [] });
});

test("cox retry also brings an agent back, but a retry from the beginning does not", () => {
  const story = given(plan("a"), signIn("a"), asks("a"));
  story.refuses(retry("a", { afresh: true }), { refused: "illegal-transition" });
  story.when(retry("a")).wants(dispatch("a"));
});

test("after giving up one task of a missing agent, a person is asked about the next; the run ends when none is left", () => {
  const story = given(plan("a", "b"), signIn("a"), asks("a"), answer("q1", "give up"));
  expect(story.phase("a")).toBe("failed");
  story.wants("ask for b").when(asks("b"), answer("q2", "give up")).wants("finish");
  story.when(retry("a")).wants(dispatch("a"));
});

test("retrying a task brings its agents back", () => {
  const story = given(plan({ turn_attempts: 1 }, "a", "b"), crashed("a"), signIn("b"));
  story.records(retry("a"), "question_withdrawn", "agent_returned", "task_retried");
});

test("a new session withdraws the question about a missing agent, but an answer still counts", () => {
  const story = given(plan("a"), signIn("a"), asks("a"));
  story.refuses({ command: "withdraw", question: q1 }, { refused: "not-possible-now" });
  story.when(killed).wants("withdraw q1");
  story.records({ command: "withdraw", question: q1 }, "question_withdrawn").wants(dispatch("a"));
  given(plan("a"), signIn("a"), asks("a"), killed, answer("q1", "use the other door")).wants(dispatch("a"));
});

test("a task that every model refuses is asked about alone, and tried by all again with the answer", () => {
  const story = given(plan("a", "b"), crashed("a", "AGENT_REFUSED", { message: "dev was refused" }));
  story.wants("ask for a").when(asks("a")).wants(dispatch("b"));
  expect(story.question("q1")).toMatchObject({ agents: [] });
  story.when(killed, answer("q1", "leave the poem out"));
  expect(story.task("a")).toMatchObject({ unfitAgents: [], guidance: [{ answer: "leave the poem out" }] });
  story.wants(dispatch("a"));
});

test("after an answer about a missing auditor, the audit continues", () => {
  const story = given(plan("a audited"), checked("a"), crashed("a", "AGENT_NOT_INSTALLED"));
  story.wants("ask for a").when(asks("a"), answer("q1", "retry")).wants(audit("a"));
});

test("if only the author could audit its work, a person is asked", () => {
  const task = { line: "a", agent: "one", agents: ["one", "two"], auditor: "two" };
  const story = given(plan(task), crashed("a", "AGENT_NOT_INSTALLED"), checked("a")).wants("ask for a");
  story.when(asks("a"));
  expect(story.question("q1").text).toMatch(/^No agent is left to judge it\. two wrote it\. /);
});

test("a person is not asked about a task that some agent can still do, or that is not due", () => {
  given(plan("a"), started("a")).refuses(asks("a"), { refused: "illegal-transition" });
  given(plan("a")).refuses(asks("a"), { refused: "not-possible-now" });
});

test("a task that waits for an answer and depends on a reverted task starts again", () => {
  const story = given(plan("a", "b after a"), done("a"), signIn("b"), asks("b"), rollback("a"));
  expect(story.phase("b")).toBe("held");
  story.when(branchWorked);
  expect(story.phases()).toEqual({ a: "ready", b: "waiting" });
  expect(story.events().slice(-2)).toEqual(["question_withdrawn", "task_aborted"]);
});

test("an agent that is out gets no task", () => {
  given(plan("a", "b"), signIn("a")).refuses(orderTo("b"), { refused: "not-possible-now" });
});
