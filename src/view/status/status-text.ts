/** `cox status` for people: sections in order of importance, each folded to fit one screen. */
import { brokenBase } from "../../kernel/rules/evidence/base-verify.ts";
import type { State, Task } from "../../kernel/state.ts";
import { counted, grouped } from "../../std/counted.ts";
import { firstLine, oneLine } from "../../std/printable.ts";
import { type AgentRow, agentRows } from "../agents/agent-rows.ts";
import { spentText } from "../cost/spent.ts";
import { barLines } from "../live/bar.ts";
import { agentLine, type Columns, columnsFor, type TaskRow, taskLine } from "../live/frame-rows.ts";
import { openQuestions, questionText } from "../questions.ts";
import { runTitle } from "../run-title.ts";
import { duration } from "../text/duration.ts";
import { commandText, type Display, lineText } from "../text/line.ts";
import { wrapped } from "../text/width.ts";
import { unconfinedWords, withoutLayersWords } from "../unconfined.ts";
import { awayAgents, awayWords, limitedAccounts, limitedAccountWords } from "./availability-words.ts";
import { groupOf } from "./groups.ts";
import type { RunSnapshot } from "./liveness.ts";
import { runHeadline } from "./run-headline.ts";
import { elapsedMs } from "./status.ts";
import { taskWords } from "./task-words.ts";

export interface StatusDisplay extends Display {
  readonly rows: number;
}

export function statusText(seen: RunSnapshot, screen: StatusDisplay): string {
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

/** Title, status, time and money, the progress bar. */
function headLines(seen: RunSnapshot, screen: StatusDisplay): string[] {
  const { state } = seen;
  const { words, style, detail, command } = runHeadline(seen);
  const lines =
    detail === undefined ? [] : wrapped(detail, { width: Math.max(1, screen.columns - 2), lines: 4 });
  return [
    lineText(
      [
        ["bold", oneLine(state.run ? runTitle(state.run) : "no run", 200)],
        ` · ${oneLine(state.run?.run ?? "", 60)}`,
      ],
      screen,
    ),
    lineText([[style, words], ` · ${costWords(seen)}`], screen),
    ...lines.map((line) => lineText(["  ", line], screen)),
    ...(command === undefined ? [] : [`  ${commandText(command, screen)}`]),
    ...brokenBaseLines(state, screen),
    ...unconfinedLines(state, screen),
    ...awayLines(seen, screen),
    ...barLines(seen, screen.columns).map((line) => lineText(line, screen)),
  ];
}

function brokenBaseLines(state: State, screen: StatusDisplay): string[] {
  const broken = brokenBase(state);
  if (!broken) return [];
  const words = `the verify commands failed at the base ${broken.base.slice(0, 12)}, before any agent: ${firstLine(broken.why, 200)}`;
  return wrapped(words, { width: Math.max(1, screen.columns - 4), lines: 3 }).map((line, at) =>
    lineText([at === 0 ? ["yellow", "! "] : "  ", line], screen),
  );
}

function unconfinedLines(state: State, screen: StatusDisplay): string[] {
  const words = confinementWords(state);
  if (words === undefined) return [];
  const width = Math.max(1, screen.columns - 4);
  return wrapped(words, { width, lines: 6 }).map((line, at) =>
    lineText([at === 0 ? ["yellow", "! "] : "  ", line], screen),
  );
}

/** Undefined if the sandbox is complete. */
function confinementWords({ isConfined, isWithoutLayers, outside }: State): string | undefined {
  if (isConfined) return isWithoutLayers ? withoutLayersWords : undefined;
  if (outside.count === 0) return unconfinedWords;
  return `${unconfinedWords}; ${counted(outside.count, "change")} so far: cox log`;
}

function awayLines({ state, now }: RunSnapshot, screen: StatusDisplay): string[] {
  const held = limitedAccounts(state).map(limitedAccountWords);
  return [...awayWords(awayAgents(state, now)), ...held].map((words) =>
    lineText([["yellow", "! "], words], screen),
  );
}

/** "4m07s of 1h00m · $1.12 of $15 · 2 of 3 agents". */
export function costWords(seen: RunSnapshot): string {
  const { state, liveness } = seen;
  const limit = state.budget.timeMs;
  const time = `${duration(elapsedMs(seen))}${limit === undefined ? "" : ` of ${duration(limit)}`}`;
  const slots = state.run?.settings.active_developers ?? 0;
  const agents = `${liveness.isAlive ? state.turns.size : 0} of ${counted(slots, "agent")}`;
  return [time, spentText(state), agents].filter((words) => words !== "").join(" · ");
}

/** The oldest question that holds up most is worth more than ten at once. */
function needsYouLines({ state, now }: RunSnapshot, screen: StatusDisplay, most: number): string[] {
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

function taskSections(seen: RunSnapshot, screen: StatusDisplay, most: number): string[][] {
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
    section(seen.liveness.isAlive ? "Working" : "Left running", screen, {
      lines: [
        ...agents.slice(0, 2 * most).map((row) => agentText(row, columns, screen)),
        ...lines(shown.working),
      ],
      all: agents.length + sorted.working.length,
      word: seen.liveness.isAlive ? "more at work" : "more left running",
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

/** Leaves out tasks that are listed among the questions or as an agent at work. */
function sortTasks(state: State): Sorted {
  const sorted: Sorted = { working: [], waiting: [], done: [], failed: [] };
  for (const task of state.tasks.values()) {
    const group = groupOf(state, task);
    if (group === "needs_you" || isTurn(task)) continue;
    sorted[group].push(task);
  }
  return sorted;
}

function isTurn({ phase }: Task): boolean {
  return (phase.name === "working" || phase.name === "auditing") && phase.step === "turn";
}

function committedAt({ phase }: Task): number {
  return phase.name === "done" ? (phase.commit?.at ?? -1) : -1;
}

interface Section {
  readonly lines: readonly string[];
  readonly all: number;
  /** Set if an item has more than one line. */
  readonly shown?: number;
  readonly word: string;
}

function section(
  title: string,
  screen: StatusDisplay,
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

export function rowOf(task: Task, seen: RunSnapshot): TaskRow {
  const [sign, style] = signs[groupOf(seen.state, task)];
  return { sign, style, task: task.facts.task, words: taskWords(task, seen) };
}

const signs = {
  needs_you: ["?", "yellow"],
  working: ["▶", "cyan"],
  waiting: ["·", "dim"],
  done: ["✓", "green"],
  failed: ["✗", "red"],
} as const;

function rowText(row: TaskRow, columns: Columns, screen: StatusDisplay): string {
  return `  ${lineText(taskLine(row, columns), { ...screen, columns: columns.columns })}`;
}

function agentText(row: AgentRow, columns: Columns, screen: StatusDisplay): string {
  return `  ${lineText(agentLine(row, columns), { ...screen, columns: columns.columns })}`;
}
