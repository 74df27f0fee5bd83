import { expect, test } from "vitest";
import { given, type Step, type Story } from "../../../../test/kernel/given.ts";
import { answer, retry, rollback } from "../../../../test/kernel/person.ts";
import { plan } from "../../../../test/kernel/plan.ts";
import {
  asked,
  auditFailed,
  auditing,
  branchWorked,
  checked,
  crashed,
  done,
  failedCheck,
  killed,
  refusedReply,
  started,
  turnOf,
} from "../../../../test/kernel/steps.ts";

/** The agent at work reports the name of its conversation. */
const says =
  (id: string, session: string): Step =>
  (story) => {
    const { turn } = turnOf(story, id);
    const ended = { how: "replied", replySha256: "", session } as const;
    story.tell({ command: "turn-ended", turn, ended, spent: { ms: 1 } });
  };

function resumed(story: Story): (string | undefined)[] {
  return story.log.flatMap(({ event, data }) => (event === "agent_dispatched" ? [data.resumes] : []));
}

const first = (id: string) => [started(id), says(id, "s1")];

test.each<[string, Step[]]>([
  ["a reply that could not be used", [refusedReply("a")]],
  ["a failed check", [failedCheck("a")]],
  ["an answer of a person", [asked("a"), answer("q1", "spaces")]],
  ["a restart", [refusedReply("a"), killed]],
])("a developer resumes its conversation after %s", (_, steps) => {
  const story = given(plan("a"), ...first("a"), ...steps, started("a"));
  expect(resumed(story)).toEqual([undefined, "s1"]);
});

test("a lost turn's conversation is resumed too, by the name it reported", () => {
  const story = given(plan("a"), crashed("a", "AGENT_EXIT", { session: "s7" }), started("a"));
  expect(resumed(story)).toEqual([undefined, "s7"]);
});

test.each<[string, Step[]]>([
  ["it grew too long", [crashed("a", "AGENT_CONTEXT", { session: "s2" })]],
  ["nobody knows it any more", [crashed("a", "AGENT_SESSION_LOST", { session: "s2" })]],
  ["going on with it failed at once", [crashed("a", "AGENT_EXIT")]],
  ["what came of it was not taken", [crashed("a", "WS_FOREIGN_WRITE", { session: "s2" })]],
])("the next turn begins a new conversation when %s", (_, steps) => {
  const story = given(plan("a"), ...first("a"), refusedReply("a"), ...steps, started("a"));
  expect(resumed(story)).toEqual([undefined, "s1", undefined]);
  expect(story.task("a").unfitAgents).toEqual([]);
});

test("a limit or a lost turn leaves the conversation as it was", () => {
  const story = given(plan("a"), ...first("a"), refusedReply("a"), crashed("a", "AGENT_RATE_LIMIT"));
  story.tell({ command: "return-agent", agent: "dev", account: "dev" });
  story.when(started("a"), killed, started("a"));
  expect(resumed(story)).toEqual([undefined, "s1", "s1", "s1"]);
});

test("if a new conversation is too long for the model again, a person is asked", () => {
  const story = given(plan("a"), ...first("a"), refusedReply("a"));
  story.when(crashed("a", "AGENT_CONTEXT"), crashed("a", "AGENT_CONTEXT")).wants("ask for a");
  expect(story.task("a").counts.turnsLost).toBe(0);
});

test("a lost conversation is no failed attempt the first time", () => {
  const story = given(plan("a"), ...first("a"), refusedReply("a"), crashed("a", "AGENT_SESSION_LOST"));
  expect(story.task("a").counts.turnsLost).toBe(0);
  story.when(crashed("a", "AGENT_SESSION_LOST"));
  expect(story.task("a").counts.turnsLost).toBe(1);
});

test("an agent that takes over begins its own conversation, and one that comes back begins another", () => {
  const task = { line: "a", agent: "one", agents: ["one", "two"] };
  const story = given(plan(task), ...first("a"), refusedReply("a"), crashed("a", "AGENT_RATE_LIMIT"));
  story.when(started("a"), crashed("a"));
  story.tell({ command: "return-agent", agent: "one", account: "one" });
  story.when(started("a"));
  expect(resumed(story)).toEqual([undefined, "s1", undefined, undefined]);
});

test("an auditor resumes its conversation within a round, and begins a new one for the next", () => {
  const story = given(plan("a audited"), checked("a"), crashed("a", "AGENT_EXIT", { session: "j1" }));
  story.when(auditing("a"));
  expect(resumed(story)).toEqual([undefined, undefined, "j1"]);
  story.when(auditFailed("a"), checked("a"), auditing("a"));
  expect(resumed(story).at(-1)).toBeUndefined();
});

test("a task that starts from the beginning resumes no conversation", () => {
  const failed = [refusedReply("a"), crashed("a"), crashed("a"), crashed("a")];
  const story = given(plan("a"), ...first("a"), ...failed, retry("a", { afresh: true }), started("a"));
  expect(resumed(story).at(-1)).toBeUndefined();
  const back = given(plan("a"), ...first("a"), done("a"), rollback("a"), branchWorked, started("a"));
  expect(resumed(back)).toEqual([undefined, undefined]);
});
