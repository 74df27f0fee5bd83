/** The end of a run, or of a session: what was done, what it cost, and what to type next. */
import type { State, Task } from "../../kernel/state.ts";
import { counted, grouped } from "../../std/counted.ts";
import { firstLine, oneLine } from "../../std/printable.ts";
import { spentText } from "../cost/spent.ts";
import { openQuestions } from "../questions.ts";
import { groupCounts, groupOf } from "../status/groups.ts";
import type { RunSnapshot } from "../status/liveness.ts";
import { type Headline, isWaitingForPerson, runHeadline } from "../status/run-headline.ts";
import { elapsedMs } from "../status/status.ts";
import { shortSha } from "../status/task-words.ts";
import { duration } from "../text/duration.ts";
import { asAscii, commandText, type Display, lineText, type StyledLine } from "../text/line.ts";
import { padTo, widthOf, wrapped } from "../text/width.ts";
import { outsideRows } from "../unconfined.ts";

interface Summary {
  readonly branch: string | null;
  readonly ending: RunEnd;
  readonly headline: string;
  readonly detail: string | null;
  readonly total: number;
  readonly done: number;
  readonly elapsedMs: number;
  /** In the order in which they were made. */
  readonly commits: readonly { readonly task: string; readonly title: string; readonly commit: string }[];
  /** Failed tasks without an open question. */
  readonly failed: readonly { readonly task: string; readonly reason: string }[];
  readonly questions: readonly string[];
  /** Changes outside the desks while agents worked without a sandbox, in words. */
  readonly outside: readonly string[];
  readonly next: readonly Next[];
}

type RunEnd = "done" | "failed" | "waiting" | "paused" | "stopped" | "running";

/** A word for what the user may want, and the command that does it. */
interface Next {
  readonly wish: string;
  readonly command: string;
}

function runSummary(seen: RunSnapshot): Summary {
  const { state } = seen;
  const headline = runHeadline(seen);
  const commits = committed(state);
  const failed = [...state.tasks.values()].flatMap((task) =>
    task.phase.name === "failed" && groupOf(state, task) === "failed"
      ? [{ task: task.facts.task, reason: task.phase.reason }]
      : [],
  );
  const questions = [...state.index.openQuestions];
  const ending = endingOf(state);
  return {
    branch: state.run?.branch ?? null,
    ending,
    headline: headline.words,
    detail: headline.detail ?? null,
    total: state.tasks.size,
    done: groupCounts(state).done,
    elapsedMs: elapsedMs(seen),
    commits,
    failed,
    questions,
    outside: outsideRows(state),
    next: nextSteps({ state, headline, commits, failed, questions }),
  };
}

function endingOf(state: State): RunEnd {
  const { status } = state;
  if (status.name === "finished") return status.outcome;
  if (status.name === "paused" || status.name === "stopped") return status.name;
  return isWaitingForPerson(state) ? "waiting" : "running";
}

function committed({ tasks }: State): Summary["commits"] {
  const found: { at: number; task: Task; sha: string }[] = [];
  for (const task of tasks.values()) {
    const commit = task.phase.name === "done" ? task.phase.commit : undefined;
    if (commit) found.push({ at: commit.at, task, sha: commit.sha });
  }
  return found
    .sort((one, other) => one.at - other.at)
    .map(({ task, sha }) => ({ task: task.facts.task, title: task.facts.title, commit: sha }));
}

interface Found extends Pick<Summary, "commits" | "failed" | "questions"> {
  readonly state: State;
  readonly headline: Headline;
}

function nextSteps({ state, headline, commits, failed, questions }: Found): Next[] {
  const steps: Next[] = [];
  const [question] = questions;
  const [failure] = failed;
  const last = commits.at(-1);
  if (question !== undefined) steps.push({ wish: "Answer", command: "cox questions" });
  if (headline.command?.startsWith("cox resume")) steps.push({ wish: "Go on", command: headline.command });
  if (failure)
    steps.push(
      { wish: "Why", command: `cox why ${failure.task}` },
      { wish: "Again", command: `cox retry ${failure.task}` },
    );
  if (!last) return [...steps, { wish: "Story", command: "cox log" }];
  steps.push({ wish: "Review", command: "cox diff" });
  if (state.landed.at(-1)?.to !== state.tip) steps.push({ wish: "Land", command: "cox land" });
  return [
    ...steps,
    { wish: "Undo", command: `cox rollback ${last.task}` },
    { wish: "Story", command: "cox log" },
  ];
}

const rowsMax = 20;

export function summaryText(seen: RunSnapshot, look: Display): string {
  const summary = runSummary(seen);
  const { ending, headline, detail, commits, failed, questions } = summary;
  const [sign, style] = signs[ending];
  const cost = spentText(seen.state);
  const facts = [
    `${grouped(summary.done)} of ${counted(summary.total, "task")}`,
    ...(commits.length > 0
      ? [`${counted(commits.length, "commit")} on ${oneLine(summary.branch ?? "", 80)}`]
      : []),
    duration(summary.elapsedMs),
    ...(cost === "" ? [] : [cost]),
  ];
  const lines: StyledLine[] = [
    [[style, `${sign} ${headline}`], ` · ${facts.join(" · ")}`],
    ...(detail === null
      ? []
      : wrapped(detail, { width: Math.max(1, look.columns - 4), lines: 4 }).map(
          (line): StyledLine => ["  ", line],
        )),
    ...listed(commits, "commit", ({ commit, task, title }) => [
      "  ",
      ["yellow", shortSha(commit)],
      ` ${oneLine(task, 80)}: ${oneLine(title, 200)}`,
    ]),
    ...listed(failed, "failed task", ({ task, reason }) => [
      "  ",
      ["red", "✗"],
      ` ${oneLine(task, 80)}: ${firstLine(reason, 300)}`,
    ]),
    ...(questions.length > 0
      ? [["  ", ["yellow", "?"], ` ${counted(questions.length, "question")} for you`] satisfies StyledLine]
      : []),
    ...listed(openQuestions(seen.state, seen.now), "question", ({ question, task, text }) => [
      `    ${oneLine(question, 60)} ${oneLine(task, 80)}: ${firstLine(text, 300)}`,
    ]),
    ...listed(summary.outside, "change outside the desks", (words) => ["  ", ["yellow", "!"], ` ${words}`]),
  ];
  return [...lines.map((line) => lineText(line, look)), ...nextText(summary.next, look), ""].join("\n");
}

const signs = {
  done: ["✓", "green"],
  failed: ["✗", "red"],
  waiting: ["?", "yellow"],
  paused: ["!", "yellow"],
  stopped: ["!", "yellow"],
  running: ["▶", "cyan"],
} as const;

function listed<T>(rows: readonly T[], noun: string, line: (row: T) => StyledLine): StyledLine[] {
  const lines = rows.slice(0, rowsMax).map(line);
  const left = rows.length - lines.length;
  return left > 0 ? [...lines, [["dim", `  … ${counted(left, `more ${noun}`)}`]]] : lines;
}

/** Two per line if they fit. */
function nextText(next: readonly Next[], look: Display): string[] {
  const cell = ({ wish, command }: Next) => `${padTo(wish, 7)} ${command}`;
  const width = Math.max(0, ...next.map((step) => widthOf(cell(step)))) + 3;
  const perLine = 2 * width <= look.columns ? 2 : 1;
  const lines: string[] = [];
  for (let at = 0; at < next.length; at += perLine) {
    const row = next.slice(at, at + perLine);
    const cells = row.map(({ wish, command }, place) => {
      const gap =
        place === row.length - 1 ? "" : " ".repeat(Math.max(1, width - widthOf(cell({ wish, command }))));
      return `${look.ascii ? asAscii(padTo(wish, 7)) : padTo(wish, 7)} ${commandText(command, look)}${gap}`;
    });
    lines.push(`  ${cells.join("")}`);
  }
  return lines;
}
