import { expect, test } from "vitest";
import { type given as Given, given } from "../../../../test/kernel/given.ts";
import { confirm } from "../../../../test/kernel/person.ts";
import { plan } from "../../../../test/kernel/plan.ts";
import { someTree } from "../../../../test/kernel/some-object-ids.ts";
import { replied } from "../../../../test/kernel/steps.ts";
import type { Command, ReplyOutcome, ReplyRecord } from "../../command.ts";
import type { TurnId } from "../../event.ts";
import type { RecordedDelete } from "../../recorded-changeset.ts";

const changeset: ReplyRecord["changeset"] = {
  operations: [{ number: 1, operation: "delete", path: "old.txt", description: "Not needed" }],
  total: 1,
};
const file = (path: string, answer: RecordedDelete["answer"]): RecordedDelete => ({
  path,
  bytes: 3,
  sha256: "a".repeat(64),
  answer,
  preview: ["x"],
  lines: 1,
});
const record = (...files: RecordedDelete[]): ReplyRecord => ({
  changeset,
  ...(files.length > 0 && { deletes: { policy: "ask", files, total: files.length } }),
});
const work: ReplyOutcome = {
  kind: "work",
  tree: someTree("t9"),
  files: ["old.txt"],
  summary: "",
  outputs: [],
};
const asks: ReplyOutcome = {
  kind: "needs-confirmation",
  digest: "d",
  items: [{ code: "CONFIRM_DELETE", message: "gone", path: "old.txt", sha256: "a".repeat(64) }],
};

function collected(story: ReturnType<typeof Given>, result: ReplyOutcome, kept?: ReplyRecord): Command {
  const [turn] = [...story.state.replies.keys()];
  return { command: "collected", turn: turn as TurnId, result, ...(kept && { record: kept }) };
}

test("the changeset is recorded with the event for the reply, and a delete before it", () => {
  const story = given(plan("a"), replied("a"));
  story.when(collected(story, work, record(file("old.txt", "allowed"))));
  const [requested, ready] = story.log.slice(-2);
  expect(requested).toMatchObject({
    event: "delete_requested",
    data: { task: "a", policy: "ask", total: 1 },
  });
  expect(ready).toMatchObject({ event: "developer_ready_for_audit", data: { changeset } });
});

test("a refused reply keeps its changeset record, and events that follow from the refusal come after it", () => {
  const story = given(plan("a"), replied("a"));
  const refused: ReplyOutcome = { kind: "refused", problems: [{ code: "X", message: "no" }] };
  story.records(
    collected(story, refused, record(file("old.txt", "dropped"))),
    "delete_requested",
    "reply_refused",
  );
  expect(story.log.at(-1)?.data).toMatchObject({ changeset });
});

test("a question, and work that was given up, keep the changeset beside them", () => {
  const asked: ReplyOutcome = { kind: "question", text: "?", options: [] };
  const givenUp: ReplyOutcome = { kind: "incomplete", reason: "no time" };
  for (const [result, event] of [
    [asked, "agent_seeks_guidance"],
    [givenUp, "task_incomplete"],
  ] as const) {
    const story = given(plan("a"), replied("a"));
    story.when(collected(story, result, record(file("old.txt", "allowed"))));
    const names = story.log.map((one) => one.event);
    expect(names[names.indexOf(event) - 1]).toBe("delete_requested");
    expect(story.log.find((one) => one.event === event)?.data).toMatchObject({ changeset });
  }
});

test("a question without operations has no changeset record", () => {
  const story = given(plan("a"), replied("a"));
  const question: ReplyOutcome = { kind: "question", text: "?", options: [] };
  story.when(collected(story, question));
  expect(story.log.at(-1)?.data).not.toHaveProperty("changeset");
});

test("a delete is requested once, also when its reply is read again after a person's yes", () => {
  const story = given(plan("a"), replied("a"));
  story.records(
    collected(story, asks, record(file("old.txt", "asked"))),
    "delete_requested",
    "confirmation_requested",
  );
  story.when(confirm("q1"));
  const again = record(file("old.txt", "asked"), file("other.txt", "allowed"));
  story.when(collected(story, work, again));
  const logged = story.log.flatMap(({ event, data }) => (event === "delete_requested" ? [data] : []));
  expect(logged.map(({ files }) => files.map(({ path }) => path))).toEqual([["old.txt"], ["other.txt"]]);
});
