/**
 * Reads only the tasks of a document, without checking the plan as a whole. It can also read a piece of a document, for
 * callers who know that nothing outside the piece affects how it is read.
 */

import type { PlanSection, PlanTask, Settings, TaskSection } from "../plan.ts";
import { type PlanFinding, PlanFindings } from "../problem.ts";
import { readSettings } from "../settings.ts";
import { Suggestions } from "../suggestions.ts";
import { readFrontMatter } from "./front-matter.ts";
import { scanLines } from "./lines.ts";
import { outline, outlinePiece, type TaskDraft } from "./outline.ts";
import { readTask } from "./task.ts";

export interface ReadTasks {
  readonly settings: Settings;
  readonly tasks: readonly PlanTask[];
  /** For each task: headings of this level or above end it. */
  readonly levels: readonly number[];
  readonly taskSections: readonly TaskSection[];
  /** Every heading that is neither a task nor inside one. */
  readonly sections: readonly PlanSection[];
}

export function readTasks(text: string): ReadTasks {
  const findings = new PlanFindings();
  const suggestions = new Suggestions();
  const { entries, end } = readFrontMatter(text, findings);
  const settings = readSettings(entries, { prefix: "PLAN", findings, suggestions });
  const { drafts, taskSections, sections } = outline(text, scanLines(text, end).lines, end);
  const reading = { text, settings, findings, suggestions };
  return {
    settings,
    tasks: drafts.map((draft, index) => readTask(draft, index + 1, reading)),
    levels: drafts.map(({ level }) => level),
    taskSections,
    sections,
  };
}

export interface TaskText extends Pick<TaskDraft, "form" | "level"> {
  readonly text: string;
  readonly settings: Settings;
  /** The number of its first task in the document, from 1. */
  readonly number: number;
}

export interface ReadPiece {
  readonly tasks: readonly PlanTask[];
  /** Findings about these tasks; the check of a plan reports more. */
  readonly findings: readonly PlanFinding[];
}

/** Undefined if the piece is not tasks from its first character to its last, or would hide what follows it. */
export function readPiece({ text, settings, number, ...kind }: TaskText): ReadPiece | undefined {
  const { lines, unclosed } = scanLines(text);
  if (unclosed) return undefined;
  const drafts = outlinePiece(text, lines, kind);
  if (!drafts || drafts.length === 0) return undefined;
  const findings = new PlanFindings();
  const reading = { text, settings, findings, suggestions: new Suggestions() };
  return {
    tasks: drafts.map((draft, index) => readTask(draft, number + index, reading)),
    findings: findings.found,
  };
}
