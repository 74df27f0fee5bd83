/**
 * The tasks of a document and nothing else: no check of the plan as a whole. Also of a piece of it, for whoever knows
 * that nothing outside the piece has a say in how it is read.
 */
import { readFrontMatter } from "./front-matter.ts";
import { scanLines } from "./lines.ts";
import { outline, outlinePiece, type TaskDraft } from "./outline.ts";
import type { Section, Settings, Task, TaskSection } from "./plan.ts";
import { type Finding, Findings } from "./problem.ts";
import { readSettings } from "./settings.ts";
import { Suggestions } from "./suggestions.ts";
import { readTask } from "./task.ts";

export interface ReadTasks {
  readonly settings: Settings;
  readonly tasks: readonly Task[];
  /** Of each task: headings of this level or above end it. */
  readonly levels: readonly number[];
  readonly taskSections: readonly TaskSection[];
  /** Every heading that is neither a task nor inside one. */
  readonly sections: readonly Section[];
}

export function readTasks(text: string): ReadTasks {
  const findings = new Findings();
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

export interface Piece extends Pick<TaskDraft, "form" | "level"> {
  readonly text: string;
  readonly settings: Settings;
  /** Of its first task in the document, from 1. */
  readonly number: number;
}

export interface ReadPiece {
  readonly tasks: readonly Task[];
  /** What is to be said of them; a plan's check says more. */
  readonly findings: readonly Finding[];
}

/** Nothing when the piece is not tasks from its first character to its last, or would hide what follows it. */
export function readPiece({ text, settings, number, ...kind }: Piece): ReadPiece | undefined {
  const { lines, unclosed } = scanLines(text);
  if (unclosed) return undefined;
  const drafts = outlinePiece(text, lines, kind);
  if (!drafts || drafts.length === 0) return undefined;
  const findings = new Findings();
  const reading = { text, settings, findings, suggestions: new Suggestions() };
  return {
    tasks: drafts.map((draft, index) => readTask(draft, number + index, reading)),
    findings: findings.found,
  };
}
