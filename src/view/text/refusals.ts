/** Why the kernel refused a command, as a problem that a person can fix. */
import type { Refusal } from "../../kernel/command.ts";
import { unreachable } from "../../std/assert.ts";
import { closestName } from "../../std/closest-name.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { named } from "../status/task-words.ts";

export function refusalProblem(refusal: Refusal): Problem {
  switch (refusal.refused) {
    case "run-already-started":
      return {
        code: "RUN_ALREADY_STARTED",
        message: "the run has already started",
        hint: "Resume it: cox resume. Start another one: cox run PLAN.md",
      };
    case "run-not-started":
      return {
        code: "RUN_NOT_STARTED",
        message: "the run has not started",
        hint: "Start it: cox run PLAN.md",
      };
    case "unknown-task": {
      const { task, known } = refusal;
      const near = closestName(task, known);
      const hint =
        near === undefined
          ? `The tasks of the run: ${named(known, 8)}.`
          : `Did you mean ${oneLine(near, 80)}?`;
      return {
        code: "TASK_UNKNOWN",
        message: `there is no task ${quote(task)} in the run`,
        hint: `${hint} All of them: cox status`,
      };
    }
    case "unknown-question": {
      const { question, open } = refusal;
      const hint =
        open.length === 0
          ? "No question is open: cox status"
          : `Open: ${named(open, 8)}. Read them: cox questions`;
      return { code: "QUESTION_UNKNOWN", message: `there is no question ${quote(question)}`, hint };
    }
    case "already-decided": {
      const { question, decision, by } = refusal;
      return {
        code: "QUESTION_DECIDED",
        message: `${oneLine(question, 60)} was already decided, by ${oneLine(by.who, 60)} (${oneLine(by.door, 20)}): ${quote(decision, 200)}`,
        hint: "Nothing was changed. See what is open: cox questions",
      };
    }
    case "wrong-kind-of-question": {
      const id = oneLine(refusal.question, 60);
      return refusal.wants === "confirm"
        ? {
            code: "QUESTION_WANTS_CONFIRM",
            message: `${id} asks for permission, not for an answer in words`,
            hint: `Type: cox confirm ${id}, or: cox deny ${id}`,
          }
        : {
            code: "QUESTION_WANTS_ANSWER",
            message: `${id} asks for an answer in words; there is nothing to allow or deny`,
            hint: `Type: cox answer ${id} "…"`,
          };
    }
    case "illegal-transition": {
      const task = oneLine(refusal.task, 80);
      return {
        code: "TASK_ILLEGAL_TRANSITION",
        message: `${task} is ${oneLine(refusal.from, 40)}; from there it cannot become ${oneLine(refusal.to, 40)}`,
        hint: `See its state and what it waits for: cox why ${task}`,
      };
    }
    case "stale":
      return {
        code: "RUN_STALE",
        message: `${oneLine(refusal.key, 120)} is no longer expected; it changed nothing`,
        hint: "See the state of the run: cox status",
      };
    case "no-evidence": {
      const task = oneLine(refusal.task, 80);
      return {
        code: "EVIDENCE_MISSING",
        message: `${task} has no passing evidence for the tree ${oneLine(refusal.tree, 64)}, so it is not committed`,
        hint: `See what was verified: cox why ${task}`,
      };
    }
    case "not-possible-now":
      return {
        code: "RUN_NOT_NOW",
        message: `that is not possible now: ${oneLine(refusal.why, 400)}`,
        hint: "See the state of the run: cox status",
      };
    case "request-already-handled":
      return {
        code: "REQUEST_HANDLED",
        message: `the request ${quote(refusal.request)} was already carried out; it counts once`,
        hint: "See the state of the run: cox status",
      };
    default:
      return unreachable(refusal);
  }
}
