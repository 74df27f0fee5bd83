/**
 * The answers of the Claude Code plugin's hooks, in the format Claude Code expects: the current task for a session that
 * lost it, and a reminder at the end of a turn.
 *
 * Claude Code shows at most 10,000 characters to the model, so everything is limited to well below that.
 */
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import { sanitiseForPrompt } from "../std/sanitise-for-prompt.ts";

export interface HookPlace {
  readonly task: {
    readonly slug: string;
    readonly title: string;
    readonly text: string;
    readonly workflow?: string;
  };
  readonly isStarted: boolean;
  readonly done: number;
  readonly total: number;
  readonly next: readonly string[];
  readonly mainWorkflow?: string;
}

export interface Restored {
  readonly place: HookPlace;
  /** The page of its Main-Workflow; undefined if there is none of that name. */
  readonly page: string | undefined;
  readonly compactions: number;
}

const taskMax = 2_000;
const pageMax = 6_200;

/** For `SessionStart`: added to the model's context. */
export function restoringAnswer(restored: Restored) {
  return {
    hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: restoringText(restored) },
  };
}

function restoringText({ place, page, compactions }: Restored): string {
  const { task, isStarted, done, total, next, mainWorkflow } = place;
  const times = compactions === 0 ? "" : ` This session was compacted ${counted(compactions, "time")}.`;
  const text = sanitiseForPrompt(task.text.trim(), { charactersMax: taskMax }).text;
  const parts = [
    `Coxswain keeps your task list in /coordinator/active.md; it outlives compactions.${times}`,
    `${isStarted ? "Task in progress" : "Next task, not started yet"}: ${oneLine(task.title)} (#${oneLine(task.slug)}). ${done} of ${counted(total, "task")} done.`,
    ...(text === "" ? [] : [text]),
    ...(task.workflow === undefined ? [] : [`Its Workflow: ${oneLine(task.workflow)}`]),
    ...(next.length === 0 ? [] : [`After it: ${next.map((title) => oneLine(title, 100)).join("; ")}`]),
    isStarted
      ? "Continue it. start_coordinator_task returns it again, with its Workflow and references; when it is done: complete_coordinator_task with a note."
      : "Start it with start_coordinator_task.",
    ...(mainWorkflow === undefined ? [] : [workflowText(mainWorkflow, page)]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function workflowText(name: string, page: string | undefined): string {
  if (page === undefined) return `Main-Workflow: ${oneLine(name)} (there is no such page: cox workflows)`;
  return `Main-Workflow: ${oneLine(name)}\n\n${sanitiseForPrompt(page.trim(), { charactersMax: pageMax }).text}`;
}

export interface Reminder {
  /** The task in progress. */
  readonly task?: { readonly slug: string; readonly title: string };
  /** Open questions of the newest run, as `RUN/QUESTION`. */
  readonly questions: readonly string[];
}

/** For `Stop`: the task is for the model, which continues once more; questions are for the person. */
export function reminderAnswer({ task, questions }: Reminder) {
  const shown = questions.slice(0, 5).map((name) => oneLine(name.slice(name.lastIndexOf("/") + 1), 40));
  return {
    ...(task && { decision: "block", reason: reminderText(task) }),
    ...(questions.length > 0 && {
      systemMessage: `${counted(questions.length, "question")} of a run ${questions.length === 1 ? "waits" : "wait"} for you (${shown.join(", ")}): cox questions`,
    }),
  };
}

function reminderText({ slug, title }: { readonly slug: string; readonly title: string }): string {
  return [
    `The coordinator task "${oneLine(title)}" (#${oneLine(slug)}) is still in progress.`,
    "If it is done and checked, complete it: complete_coordinator_task with a note on what shows it.",
    "If you are waiting for the person, say in one sentence what for, and stop.",
    "Otherwise continue it. You get this reminder once.",
  ].join(" ");
}
