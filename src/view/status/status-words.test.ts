import { expect, test } from "vitest";
import { by, story } from "../../../test/view/story.ts";
import type { QuestionId } from "../../kernel/event.ts";
import type { TaskId } from "../../plan/plan.ts";
import { phaseWord, progressOf, statusOf } from "./status-words.ts";

const b = "b" as TaskId;
const q1 = "q1" as QuestionId;

test.each([
  ["waiting", story("a", "b after a"), "pending", undefined],
  ["ready", story("b"), "pending", undefined],
  ["working", story("b").works("b"), "working", "implementing"],
  ["auditing", story("b").delivers("b"), "ready_for_verification", "awaiting-audit"],
  ["integrating", story("b").delivers("b").passes("b"), "ready_for_verification", "awaiting-audit"],
  ["held", story("b").asks("b", "Why?"), "blocked", "awaiting-divine-guidance"],
  ["failed", story("b").works("b").replies("b").fails("b", "no"), "failed", undefined],
  ["done", story("b").commits("b"), "verified", undefined],
  [
    "reverting",
    story("b")
      .commits("b")
      .tell("rollback_requested", { tasks: [b], by }),
    "verified",
    undefined,
  ],
] as const)(
  "a task that is %s has its word for the status and for progress",
  (name, { state }, status, progress) => {
    const task = state.tasks.get(b);
    expect(task?.phase.name).toBe(name);
    expect([statusOf({ name }), progressOf({ name })]).toEqual([status, progress]);
  },
);

test("programs still read `verified` as the phase of a finished task, and every other phase by its name", () => {
  expect([phaseWord({ name: "done" }), phaseWord({ name: "reverting" })]).toEqual(["verified", "reverting"]);
});

test("an answered task is shown as working again", () => {
  const told = story("b")
    .asks("b", "Why?")
    .tell("divine_response_received", { question: q1, answer: "so", by })
    .tell("agent_resumes_with_guidance", { question: q1, task: b });
  expect(statusOf(told.task("b").phase)).toBe("working");
});
