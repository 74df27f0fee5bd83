import { expect, test } from "vitest";
import { someTree } from "../../../test/kernel/some-object-ids.ts";
import { by } from "../../../test/view/story.ts";
import type { Refusal } from "../../kernel/command.ts";
import type { QuestionId } from "../../kernel/event.ts";
import type { TaskId } from "../../plan/plan.ts";
import { dangerous } from "../../std/unicode.ts";
import { refusalProblem } from "./refusals.ts";

const task = "store" as TaskId;
const question = "q1" as QuestionId;

const refusals: {
  readonly [Name in Refusal["refused"]]: readonly [Extract<Refusal, { refused: Name }>, RegExp, RegExp];
} = {
  "run-already-started": [{ refused: "run-already-started" }, /already started/, /cox resume/],
  "run-not-started": [{ refused: "run-not-started" }, /not started/, /cox run/],
  "unknown-task": [
    { refused: "unknown-task", task: "stroe" as TaskId, known: [task] },
    /no task "stroe"/,
    /Did you mean store\?/,
  ],
  "unknown-question": [
    { refused: "unknown-question", question: "q9" as QuestionId, open: [question] },
    /no question "q9"/,
    /Open: q1\. .*cox questions/,
  ],
  "already-decided": [
    { refused: "already-decided", question, decision: "600/min", by },
    /q1 was already decided, by ana \(terminal\): "600\/min"/,
    /Nothing was changed/,
  ],
  "wrong-kind-of-question": [
    { refused: "wrong-kind-of-question", question, wants: "confirm" },
    /q1 asks for permission/,
    /cox confirm q1, or: cox deny q1/,
  ],
  "illegal-transition": [
    { refused: "illegal-transition", task, from: "done", to: "working" },
    /store is done; from there it cannot become working/,
    /cox why store/,
  ],
  stale: [{ refused: "stale", key: "merge:store" }, /merge:store/, /cox status/],
  "no-evidence": [
    { refused: "no-evidence", task, tree: someTree("abc") },
    /no passing evidence for the tree abc/,
    /cox why store/,
  ],
  "not-possible-now": [
    { refused: "not-possible-now", why: "a landing is under way" },
    /a landing is under way/,
    /cox status/,
  ],
  "request-already-handled": [
    { refused: "request-already-handled", request: "r1" },
    /"r1" was already carried out/,
    /cox status/,
  ],
};

test.each(Object.entries(refusals))(
  "the refusal %s says what and why, and what to type",
  (_name, [refusal, message, hint]) => {
    const problem = refusalProblem(refusal);
    expect(problem.code).toMatch(/^[A-Z]+(_[A-Z]+)+$/);
    expect(problem.message).toMatch(message);
    expect(problem.hint).toMatch(hint);
  },
);

test("each refusal has a code of its own", () => {
  const codes = Object.values(refusals).map(([refusal]) => refusalProblem(refusal).code);
  expect(new Set(codes).size).toBe(codes.length);
});

test("the refusal of a yes or no to a question that wants words says how to give them", () => {
  const { hint } = refusalProblem({ refused: "wrong-kind-of-question", question, wants: "answer" });
  expect(hint).toBe('Type: cox answer q1 "…"');
});

test("a refusal shows what was typed without acting on the terminal, and cut", () => {
  const hostile = "\u001b[2J\n".repeat(1000);
  const { message, hint } = refusalProblem({
    refused: "unknown-task",
    task: hostile as TaskId,
    known: [hostile as TaskId],
  });
  expect(`${message}${hint}`.match(dangerous)).toBeNull();
  expect(message.length).toBeLessThan(1000);
});
