/** What a person asks of a run, as the commands a door would send. */
import type { Command } from "../../src/kernel/command.ts";
import type { DecisionMaker } from "../../src/kernel/decision-maker.ts";
import type { QuestionId } from "../../src/kernel/event.ts";
import type { RunSettings } from "../../src/kernel/run-started.ts";
import { asId } from "./plan.ts";

export const ana: DecisionMaker = { who: "ana", door: "terminal" };

export const asQuestion = (id: string) => id as QuestionId;

export const pause = (by = ana): Command => ({ command: "pause", reason: "person", detail: "", by });
export const resume = (budget?: RunSettings["budget"], by = ana): Command => ({
  command: "resume",
  by,
  ...(budget ? { budget } : {}),
});
export const stop = (by = ana): Command => ({ command: "stop", by });
export const answer = (question: string, text: string, by = ana): Command => ({
  command: "answer",
  question: asQuestion(question),
  answer: text,
  by,
});
export const confirm = (question: string, by = ana): Command => ({
  command: "confirm",
  question: asQuestion(question),
  by,
});
export const deny = (question: string, reason = "it is still needed", by = ana): Command => ({
  command: "deny",
  question: asQuestion(question),
  reason,
  by,
});
export const retry = (task: string, { afresh = false, by = ana } = {}): Command => ({
  command: "retry",
  task: asId(task),
  afresh,
  by,
});
export const rollback = (task: string, { cascade = false, by = ana } = {}): Command => ({
  command: "rollback",
  task: asId(task),
  cascade,
  by,
});
export const trouble = (key: string): Command => ({
  command: "effect-failed",
  key,
  problem: { code: "DISK_FULL", message: "the disk is full", hint: "Make room." },
});
