/** `cox status` as a person reads it: sections in the order of what matters, each folded to fit one screen. */
import { brokenBase } from "../kernel/base-verify.ts";
import type { State, Task } from "../kernel/state.ts";
import { counted, grouped } from "../std/counted.ts";
import { firstLine, oneLine } from "../std/printable.ts";
import { type AgentRow, agentRows } from "./agent-rows.ts";
import { barLines } from "./bar.ts";
import { duration } from "./duration.ts";
import { agentLine, type Columns, columnsFor, type TaskRow, taskLine } from "./frame-rows.ts";
import { groupOf } from "./groups.ts";
import { commandText, type Look, lineText } from "./line.ts";
import type { Seen } from "./liveness.ts";
import { openQuestions, questionText } from "./questions.ts";
import { runHeadline } from "./run-headline.ts";
import { spentText } from "./spent.ts";
import { awayAgents, awayWords } from "./standing-words.ts";
import { elapsedMs } from "./status.ts";
import { taskWords } from "./task-words.ts";
import { unconfinedWords } from "./unconfined.ts";
import { wrapped } from "./width.ts";

export interface Screen extends Look {
  readonly rows: number;
}

export function statusText(seen: Seen, screen: Screen): string {
  const most = Math.max(3, Math.floor((screen.rows - 8) / 5));
  const sections = [
    headLines(seen, screen),
    needsYouLines(seen, screen, most),
    ...taskSections(seen, screen, most),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** Title, how it stands, time and money, the bar. */
function headLines(seen: Seen, screen: Screen): string[] {
  const { state, liveness } = seen;
  const { words, style, detail, command } = runHeadline(state, liveness);
  const told =
    detail === undefined ? [] : wrapped(detail, { width: Math.max(1, screen.columns - 2), lines: 4 });
  return [
    lineText(
      [
        ["bold", oneLine(state.run?.title || "(no title)", 200)],
        ` · ${oneLine(state.run?.run ?? "no run", 60)}`,
      ],
      screen,
    ),
    lineText([[style, words], ` · ${costWords(seen)}`], screen),
    ...told.map((line) => lineText(["  ", line], screen)),
    ...(command === undefined ? [] : [`  ${commandText(command, screen)}`]),
    ...brokenBaseLines(state, screen),
    ...unconfinedLines(state, screen),
    ...awayLines(seen, screen),
    ...barLines(seen, screen.columns).map((line) => lineText(line, screen)),
  ];
}

function brokenBaseLines(state: State, screen: Screen): string[] {
  const broken = brokenBase(state);
  if (!broken) return [];
  const words = `the verify commands failed at the base ${broken.base.slice(0, 12)}, before any agent: ${firstLine(broken.why, 200)}`;
  return wrapped(words, { width: Math.max(1, screen.columns - 4), lines: 3 }).map((line, at) =>
    lineText([at === 0 ? ["yellow", "! "] : "  ", line], screen),
  );
}

function unconfinedLines(state: State, screen: Screen): string[] {
  if (state.isConfined) return [];
  const width = Math.max(1, screen.columns - 4);
  const found = state.outside.count;
  const words =
    found === 0 ? unconfinedWords : `${unconfinedWords}; ${counted(found, "change")} so far: cox log`;
  return wrapped(words, { width, lines: 6 }).map((line, at) =>
    lineText([at === 0 ? ["yellow", "! "] : "  ", line], screen),
  );
}

function awayLines({ state, now }: Seen, screen: Screen): string[] {
  return awayAgents(state, now).map((one) => lineText([["yellow", "! "], awayWords(one)], screen));
}

/** "4m07s of 1h00m · $1.12 of $15 · 2 of 3 agents". */
export function costWords(seen: Seen): string {
  const { state, liveness } = seen;
  const limit = state.budget.timeMs;
  const time = `${duration(elapsedMs(seen))}${limit === undefined ? "" : ` of ${duration(limit)}`}`;
  const slots = state.run?.settings.active_developers ?? 0;
  const agents = `${liveness.isAlive ? state.turns.size : 0} of ${counted(slots, "agent")}`;
  return [time, spentText(state), agents].filter((words) => words !== "").join(" · ");
}

/** The oldest question that holds up most is worth more than ten at once. */
function needsYouLines({ state, now }: Seen, screen: Screen, most: number): string[] {
  const questions = openQuestions(state, now);
  if (questions.length === 0) return [];
  const shown = questions.slice(0, Math.max(2, Math.floor(most / 2)));
  const below = { ...screen, columns: screen.columns - 2 };
  const left = questions.length - shown.length;
  return [
    screen.paint("bold", "Needs you"),
    ...shown.flatMap((question) => questionText(question, below)).map((line) => `  ${line}`),
    ...(left > 0 ? [lineText([`  … ${counted(left, "more question")}: cox questions`], screen)] : []),
  ];
}

interface Sorted {
  readonly working: Task[];
  readonly waiting: Task[];
  readonly done: Task[];
  readonly failed: Task[];
}

function taskSections(seen: Seen, screen: Screen, most: number): string[][] {
  const sorted = sortTasks(seen.state);
  const agents = agentRows(seen);
  const shown = {
    working: sorted.working.slice(0, Math.max(0, 2 * most - agents.length)),
    waiting: sorted.waiting.slice(0, most),
    done: sorted.done.sort((one, other) => committedAt(other) - committedAt(one)).slice(0, most),
    failed: sorted.failed.slice(0, most),
  };
  const columns = columnsFor(screen.columns - 2, {
    tasks: [
      ...agents.slice(0, 2 * most),
      ...Object.values(shown)
        .flat()
        .map(({ facts }) => facts),
    ].map(({ task }) => task),
    agents: agents.map(({ agent }) => agent),
  });
  const lines = (tasks: readonly Task[]) => tasks.map((task) => rowText(rowOf(task, seen), columns, screen));
  return [
    section(seen.liveness.isAlive ? "Working" : "Left under way", screen, {
      lines: [
        ...agents.slice(0, 2 * most).map((row) => agentText(row, columns, screen)),
        ...lines(shown.working),
      ],
      all: agents.length + sorted.working.length,
      word: seen.liveness.isAlive ? "more at work" : "more left under way",
    }),
    section("Waiting", screen, {
      lines: lines(shown.waiting),
      all: sorted.waiting.length,
      word: "more waiting",
    }),
    section("Done", screen, { lines: lines(shown.done), all: sorted.done.length, word: "more done" }),
    section("Failed", screen, {
      lines: shown.failed.flatMap((task) => [
        rowText(rowOf(task, seen), columns, screen),
        `      ${commandText(`cox why ${task.facts.task}`, screen)}`,
      ]),
      all: sorted.failed.length,
      shown: shown.failed.length,
      word: "more failed",
    }),
  ];
}

/** What is held stands among the questions; who is at work has a row as an agent. */
function sortTasks(state: State): Sorted {
  const sorted: Sorted = { working: [], waiting: [], done: [], failed: [] };
  for (const task of state.tasks.values()) {
    const group = groupOf(task.phase);
    if (group === "needs_you" || isTurn(task)) continue;
    sorted[group].push(task);
  }
  return sorted;
}

function isTurn({ phase }: Task): boolean {
  return (phase.name === "working" || phase.name === "auditing") && phase.step === "turn";
}

function committedAt({ phase }: Task): number {
  return phase.name === "verified" ? (phase.commit?.at ?? -1) : -1;
}

interface Section {
  readonly lines: readonly string[];
  readonly all: number;
  /** Where a thing has more lines than one. */
  readonly shown?: number;
  readonly word: string;
}

function section(
  title: string,
  screen: Screen,
  { lines, all, shown = lines.length, word }: Section,
): string[] {
  if (all === 0) return [];
  const left = all - shown;
  return [
    screen.paint("bold", title),
    ...lines,
    ...(left > 0 ? [lineText(["  ", ["dim", `… ${grouped(left)} ${word}`]], screen)] : []),
  ];
}

export function rowOf(task: Task, seen: Seen): TaskRow {
  const [sign, style] = signs[groupOf(task.phase)];
  return { sign, style, task: task.facts.task, words: taskWords(task, seen) };
}

const signs = {
  needs_you: ["?", "yellow"],
  working: ["▶", "cyan"],
  waiting: ["·", "dim"],
  done: ["✓", "green"],
  failed: ["✗", "red"],
} as const;

function rowText(row: TaskRow, columns: Columns, screen: Screen): string {
  return `  ${lineText(taskLine(row, columns), { ...screen, columns: columns.columns })}`;
}

function agentText(row: AgentRow, columns: Columns, screen: Screen): string {
  return `  ${lineText(agentLine(row, columns), { ...screen, columns: columns.columns })}`;
}
