/**
 * The live region below the permanent lines: how far the run is, who works on what, and what needs you. It leaves at
 * least eight lines of the terminal to the rest and is never wider than the terminal; what does not fit is folded and
 * counted.
 */
import type { Task } from "../../kernel/state.ts";
import { grouped } from "../../std/counted.ts";
import { firstLine, oneLine } from "../../std/printable.ts";
import { agentRows } from "../agents/agent-rows.ts";
import { type OpenQuestion, openQuestions } from "../questions.ts";
import { runTitle } from "../run-title.ts";
import { groupCounts, groupOf } from "../status/groups.ts";
import type { RunSnapshot } from "../status/liveness.ts";
import { runHeadline } from "../status/run-headline.ts";
import { costWords, rowOf } from "../status/status-text.ts";
import { duration } from "../text/duration.ts";
import { type Display, lineText, type StyledLine } from "../text/line.ts";
import { padTo, widthOf } from "../text/width.ts";
import { barLines } from "./bar.ts";
import { agentLine, type Columns, columnsFor, taskLine } from "./frame-rows.ts";

export interface LiveScreen extends Display {
  readonly rows: number;
  /** The keys that can be pressed now, for the last line. */
  readonly keys?: string;
}

/** Reserved for the lines above. */
const rowsOfOthers = 8;

export function liveFrame(seen: RunSnapshot, screen: LiveScreen): string[] {
  const room = Math.max(0, screen.rows - rowsOfOthers);
  const width = Math.max(1, screen.columns - 1);
  const head: StyledLine[] = [titleLine(seen, width), ...barLines(seen, width)];
  const keys: StyledLine[] = screen.keys === undefined ? [] : [[["dim", oneLine(screen.keys, 300)]]];
  const body = bodyLines(seen, width, room - 1 - head.length - keys.length);
  const lines = [...head, ...body, ...keys].map((line) => [" ", ...line]);
  const rule: StyledLine = [["dim", "─".repeat(screen.columns)]];
  // On a very low terminal, the title comes before anything else.
  const all = room > 2 ? [rule, ...lines] : lines;
  return all.slice(0, room).map((line) => lineText(line, screen));
}

/** The title on the left, time and money on the right. */
function titleLine(seen: RunSnapshot, width: number): StyledLine {
  const { state } = seen;
  const { words, style } = runHeadline(seen);
  const title = `${oneLine(state.run ? runTitle(state.run) : "no run", 200)} · ${oneLine(state.run?.run ?? "", 60)}`;
  const isPlain = words === "running";
  const right = `${isPlain ? "" : `${words} · `}${costWords(seen)}`;
  const left = width - widthOf(right) - 2;
  if (left < 10) return [[isPlain ? "bold" : style, right]];
  return [["bold", padTo(title, left)], "  ", isPlain ? right : [style, right]];
}

/** Waiting tasks are rarely of interest; a few show what comes next. */
const waitingMax = 4;

function bodyLines(seen: RunSnapshot, width: number, room: number): StyledLine[] {
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

function questionLine(question: OpenQuestion, columns: Columns): StyledLine {
  const command = question.commands[0] ?? "";
  const words = `${duration(question.asked_ms_ago)}  ${firstLine(question.text, 300)}`;
  const before = 2 + columns.task + 2;
  const room = Math.min(72, columns.columns - before - widthOf(command) - 2);
  const line = taskLine({ sign: "?", style: "yellow", task: question.task, words: "" }, columns);
  // The command matters more than the question, which is shown above in full.
  return room < 12 ? [...line, ["cyan", command]] : [...line, padTo(words, room), "  ", ["cyan", command]];
}

interface Others {
  readonly working: readonly Task[];
  readonly failed: readonly Task[];
  readonly waiting: readonly Task[];
  /** How many there are, shown or not. */
  readonly all: { readonly working: number; readonly failed: number; readonly waiting: number };
}

/** Tasks without a row as an agent or a question; no more of each kind than could be shown. */
function otherTasks({ state }: RunSnapshot, room: number): Others {
  const counts = groupCounts(state);
  const working: Task[] = [];
  const failed: Task[] = [];
  const waiting: Task[] = [];
  for (const task of state.tasks.values()) {
    const group = groupOf(state, task);
    if (group === "working" && !isAtWork(task)) working.push(task);
    if (group === "failed" && failed.length < room) failed.push(task);
    if (group === "waiting" && waiting.length < waitingMax) waiting.push(task);
  }
  return { working, failed, waiting, all: { ...counts, working: working.length } };
}

function isAtWork({ phase }: Task): boolean {
  return (phase.name === "working" || phase.name === "auditing") && phase.step === "turn";
}
