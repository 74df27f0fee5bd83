/** Questions that wait for a person: what is asked, by whom, what depends on it, and the command that answers it. */
import type { Moment } from "../kernel/moment.ts";
import type { State } from "../kernel/state.ts";
import { counted } from "../std/counted.ts";
import { oneLine, printableLines } from "../std/printable.ts";
import { duration } from "./text/duration.ts";
import { commandText, type Display, lineText } from "./text/line.ts";
import { wrapped } from "./text/width.ts";

export interface OpenQuestion {
  readonly question: string;
  readonly kind: "guidance" | "trouble" | "confirmation";
  readonly task: string;
  /** Null if the coordinator itself asks. */
  readonly agent: string | null;
  readonly text: string;
  readonly options: readonly string[];
  /** What a confirmation would allow. */
  readonly items: readonly {
    readonly code: string;
    readonly path: string | null;
    readonly message: string;
  }[];
  readonly asked_ms_ago: number;
  /** How many tasks wait for the task it is about. */
  readonly holds_up: number;
  /** The command that shows the change it is about. */
  readonly look: string | null;
  readonly commands: readonly string[];
}

/** The first lines of what would happen to a file. */
export interface Preview {
  readonly path: string;
  readonly lines: readonly string[];
}

/** Oldest first. */
export function openQuestions(state: State, now: Moment): OpenQuestion[] {
  const open: OpenQuestion[] = [];
  for (const id of state.index.openQuestions) {
    const question = state.questions.get(id);
    if (!question) continue;
    open.push({
      question: id,
      kind: question.kind,
      task: question.task,
      agent: question.agent ?? null,
      text: question.text,
      options: question.options,
      items: question.items.map(({ code, path, message }) => ({ code, path: path ?? null, message })),
      asked_ms_ago: Math.max(0, Math.round(now.at - question.askedAt)),
      holds_up: state.tasks.get(question.task)?.downstream ?? 0,
      look: lookCommand(question) ?? null,
      commands: answerCommands(question),
    });
  }
  return open;
}

export function answerCommands({ question, kind }: Pick<OpenQuestion, "question" | "kind">): string[] {
  return kind === "confirmation"
    ? [`cox confirm ${question}`, `cox deny ${question}`]
    : [`cox answer ${question} "…"`];
}

export function lookCommand({ kind, task }: Pick<OpenQuestion, "kind" | "task">): string | undefined {
  return kind === "confirmation" ? `cox diff ${task}` : undefined;
}

const textLinesMax = 8;
const optionsMax = 9;
const itemsMax = 8;

/** As `cox questions` and `cox status` show it. */
export function questionText(
  question: OpenQuestion,
  look: Display,
  previews: readonly Preview[] = [],
): string[] {
  const { agent, asked_ms_ago, holds_up, options, items, commands } = question;
  const below = { ...look, columns: look.columns - 4 };
  const head = [
    oneLine(question.task, 60),
    agent === null ? "asked by the coordinator" : `asked by ${oneLine(agent, 40)}`,
    `${duration(asked_ms_ago)} ago`,
    ...(holds_up > 0 ? [`holds up ${counted(holds_up, "task")}`] : []),
  ];
  const lines = [
    ...bothEnds(printableLines(question.text, { lines: 10_000, width: 400 })).flatMap((line) =>
      wrapped(line.replaceAll("\t", " "), { width: Math.max(1, below.columns), lines: 4 }),
    ),
    ...options.slice(0, optionsMax).map((option, at) => `${at + 1}  ${oneLine(option, 200)}`),
    ...(options.length > optionsMax ? [`… ${options.length - optionsMax} more (all of them: --json)`] : []),
    ...items.slice(0, itemsMax).map(itemWords),
    ...(items.length > itemsMax ? [`… ${items.length - itemsMax} more (all of them: --json)`] : []),
  ];
  return [
    lineText([["yellow", `? ${oneLine(question.question, 60)}`], `  ${head.join(" · ")}`], look),
    ...lines.map((line) => `    ${lineText([line], below)}`),
    ...previews.flatMap((one) => one.lines.map((line) => `      ${lineText([["dim", line]], below)}`)),
    ...(question.look === null ? [] : [`    ${commandText(question.look, look)}`]),
    ...commands.map((command) => `    ${commandText(command, look)}`),
  ];
}

/** The question is in the first line; of the command output below it, the end is the most useful. */
function bothEnds(lines: readonly string[]): readonly string[] {
  const left = lines.length - textLinesMax;
  if (left <= 0) return lines;
  const [first = "", ...rest] = lines;
  return [first, `… ${counted(left, "more line")}`, ...rest.slice(left)];
}

/**
 * The question as a client shows it to a person. It contains only what stays the same while the question is open: an
 * answer applies to the words that were shown, and may come after the run has moved on.
 */
export function questionWords({ question, task, agent, text, items, look }: OpenQuestion): string {
  const by = agent === null ? "the coordinator" : oneLine(agent, 40);
  const more = items.length - shownItemsMax;
  return [
    `${oneLine(question, 60)}, about the task ${oneLine(task, 60)}, asked by ${by}:`,
    ...printableLines(text, { lines: 100, width: 1000 }),
    ...items.slice(0, shownItemsMax).map(itemWords),
    ...(more > 0 ? [`… ${more} more (all of them: cox questions --json)`] : []),
    ...(look === null ? [] : [`What would be changed: ${oneLine(look, 200)}`]),
  ].join("\n");
}

/** More than a terminal shows, because a yes applies to all of them. */
const shownItemsMax = 50;

function itemWords({ path, message }: OpenQuestion["items"][number]): string {
  const words = oneLine(message, 300);
  return path === null || message.includes(path) ? `- ${words}` : `- ${oneLine(path, 120)}: ${words}`;
}
