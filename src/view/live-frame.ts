/**
 * The live region below the permanent lines: how far the run is, who works at what, what needs you. Never higher than
 * leaves eight lines of the terminal to the rest, never wider than it; what does not fit is folded and counted.
 */
import type { Task } from "../kernel/state.ts";
import { grouped } from "../std/counted.ts";
import { firstLine, oneLine } from "../std/printable.ts";
import { agentRows } from "./agent-rows.ts";
import { barLines } from "./bar.ts";
import { duration } from "./duration.ts";
import { agentLine, type Columns, columnsFor, taskLine } from "./frame-rows.ts";
import { groupOf } from "./groups.ts";
import { type Line, type Look, lineText } from "./line.ts";
import type { Seen } from "./liveness.ts";
import { type OpenQuestion, openQuestions } from "./questions.ts";
import { runHeadline } from "./run-headline.ts";
import { costWords, rowOf } from "./status-text.ts";
import { padTo, widthOf } from "./width.ts";

export interface LiveScreen extends Look {
  readonly rows: number;
  /** What can be pressed now, for the last line. */
  readonly keys?: string;
}

/** Kept for the lines above. */
const rowsOfOthers = 8;

export function liveFrame(seen: Seen, screen: LiveScreen): string[] {
  const room = Math.max(0, screen.rows - rowsOfOthers);
  const width = Math.max(1, screen.columns - 1);
  const head: Line[] = [titleLine(seen, width), ...barLines(seen, width)];
  const keys: Line[] = screen.keys === undefined ? [] : [[["dim", oneLine(screen.keys, 300)]]];
  const body = bodyLines(seen, width, room - 1 - head.length - keys.length);
  const lines = [...head, ...body, ...keys].map((line) => [" ", ...line]);
  const rule: Line = [["dim", "─".repeat(screen.columns)]];
  // What is left of a very low terminal shows the title before anything else.
  const all = room > 2 ? [rule, ...lines] : lines;
  return all.slice(0, room).map((line) => lineText(line, screen));
}

/** The title at the left, time and money at the right. */
function titleLine(seen: Seen, width: number): Line {
  const { state, liveness } = seen;
  const { words, style } = runHeadline(state, liveness);
  const title = `${oneLine(state.run?.title || "(no title)", 200)} · ${oneLine(state.run?.run ?? "", 60)}`;
  const isPlain = words === "running";
  const right = `${isPlain ? "" : `${words} · `}${costWords(seen)}`;
  const left = width - widthOf(right) - 2;
  if (left < 10) return [[isPlain ? "bold" : style, right]];
  return [["bold", padTo(title, left)], "  ", isPlain ? right : [style, right]];
}

/** Tasks that wait are seldom looked for: a few of them show what comes. */
const waitingMax = 4;

function bodyLines(seen: Seen, width: number, room: number): Line[] {
  const agents = agentRows(seen);
  const questions = openQuestions(seen.state, seen.now);
  const others = otherTasks(seen, room);
  const wanted =
    agents.length + questions.length + others.all.working + others.all.failed + others.all.waiting;
  // The last line says what was left out.
  let left = Math.max(0, wanted > room ? room - 1 : room);
  const take = <T>(rows: readonly T[], most = left): T[] => {
    const taken = rows.slice(0, Math.max(0, Math.min(most, left)));
    left -= taken.length;
    return taken;
  };
  // Some room is kept for questions, however many agents are at work.
  const urgent = take(questions, Math.ceil(left / 3));
  const shown = {
    agents: take(agents),
    questions: [...urgent, ...take(questions.slice(urgent.length))],
    working: take(others.working),
    failed: take(others.failed),
    waiting: take(others.waiting, waitingMax),
  };
  const tasks = [...shown.working, ...shown.failed, ...shown.waiting];
  const columns = columnsFor(width, {
    tasks: [...shown.agents, ...shown.questions, ...tasks.map(({ facts }) => facts)].map(({ task }) => task),
    agents: shown.agents.map(({ agent }) => agent),
  });
  const row = (task: Task) => taskLine(rowOf(task, seen), columns);
  const lines = [
    ...shown.agents.map((agent) => agentLine(agent, columns)),
    ...shown.working.map(row),
    ...shown.questions.map((question) => questionLine(question, columns)),
    ...shown.failed.map(row),
    ...shown.waiting.map(row),
  ];
  const rest = folded({
    "at work": agents.length - shown.agents.length + others.all.working - shown.working.length,
    "for you": questions.length - shown.questions.length,
    failed: others.all.failed - shown.failed.length,
    waiting: others.all.waiting - shown.waiting.length,
  });
  return rest === "" || room <= 0 ? lines : [...lines, [["dim", rest]]];
}

/** "… 14 more waiting · 2 more failed". */
function folded(left: Readonly<Record<string, number>>): string {
  const parts = Object.entries(left).flatMap(([word, count]) =>
    count > 0 ? [`${grouped(count)} more ${word}`] : [],
  );
  return parts.length === 0 ? "" : `… ${parts.join(" · ")}`;
}

function questionLine(question: OpenQuestion, columns: Columns): Line {
  const command = question.commands[0] ?? "";
  const words = `${duration(question.asked_ms_ago)}  ${firstLine(question.text, 300)}`;
  const before = 2 + columns.task + 2;
  const room = Math.min(72, columns.columns - before - widthOf(command) - 2);
  const line = taskLine({ sign: "?", style: "yellow", task: question.task, words: "" }, columns);
  // What to type is worth more than what was asked, which stands above in full.
  return room < 12 ? [...line, ["cyan", command]] : [...line, padTo(words, room), "  ", ["cyan", command]];
}

interface Others {
  readonly working: readonly Task[];
  readonly failed: readonly Task[];
  readonly waiting: readonly Task[];
  /** How many there are, shown or not. */
  readonly all: { readonly working: number; readonly failed: number; readonly waiting: number };
}

/** Tasks that have no row as an agent or a question; no more of a kind than could be shown. */
function otherTasks({ state }: Seen, room: number): Others {
  const { counts, openQuestions: open } = state.index;
  const asked = new Set([...open].map((id) => state.questions.get(id)?.task));
  const working: Task[] = [];
  const failed: Task[] = [];
  const waiting: Task[] = [];
  let askedAndFailed = 0;
  for (const task of state.tasks.values()) {
    const { name } = task.phase;
    if (groupOf(task.phase) === "working" && !isAtWork(task)) working.push(task);
    if (name === "failed") {
      if (asked.has(task.facts.task)) askedAndFailed += 1;
      else if (failed.length < room) failed.push(task);
    }
    if ((name === "waiting" || name === "ready") && waiting.length < waitingMax) waiting.push(task);
  }
  const all = {
    working: working.length,
    failed: counts.failed - askedAndFailed,
    waiting: counts.waiting + counts.ready,
  };
  return { working, failed, waiting, all };
}

function isAtWork({ phase }: Task): boolean {
  return (phase.name === "working" || phase.name === "auditing") && phase.step === "turn";
}
