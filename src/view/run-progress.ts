/**
 * `progress.md` of a run, for people: how far it is, and for each task what happened, when, what it changed and how it
 * was verified. A view of the log: events are added in their order, and the text can be made at any time.
 */
import type { Occurred } from "../kernel/evolve.ts";
import type { State, Task } from "../kernel/state.ts";
import { counted, grouped } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import { duration } from "./duration.ts";
import { groupCounts, groupOf } from "./groups.ts";
import { type LogLine, LogReader } from "./log-line.ts";
import { runHeadline } from "./run-headline.ts";
import { isoTime } from "./run-times.ts";
import { spentText } from "./spent.ts";

/** The last ones of a task; the log has them all. */
const linesOfTaskMax = 40;
/** Of the tasks that are done, only so many (the last of the plan) are told at length: the file is written again and again. */
const toldAtLengthMax = 200;
const filesMax = 20;

interface Story {
  readonly lines: LogLine[];
  leftOut: number;
}

export class RunProgress {
  readonly #reader = new LogReader();
  readonly #tasks = new Map<string, Story>();
  #began = 0;

  add(occurred: Occurred): void {
    if (occurred.event === "run_started") this.#began = occurred.at;
    const line = this.#reader.read(occurred);
    const isTold = line.level < 3 || occurred.event === "verification_passed";
    if (line.task === undefined || !isTold) return;
    const story = this.#tasks.get(line.task) ?? { lines: [], leftOut: 0 };
    this.#tasks.set(line.task, story);
    story.lines.push(line);
    if (story.lines.length <= linesOfTaskMax) return;
    story.lines.shift();
    story.leftOut += 1;
  }

  text(state: State): string {
    const { run } = state;
    const counts = groupCounts(state);
    const { words, detail } = runHeadline(state, { isAlive: true });
    const cost = spentText(state);
    const lines = [
      `# ${plain(run?.title || "(no title)")}`,
      "",
      `**Run**: ${plain(run?.run ?? "")} on ${plain(run?.branch ?? "")}, of ${plain(run?.plan_file ?? "")}`,
      `**Began**: ${minute(this.#began)}`,
      `**Status**: ${words}${detail === undefined ? "" : ` (${plain(detail)})`}`,
      `**Spent**: ${[duration(state.time), cost].filter((each) => each !== "").join(" · ")}`,
      "",
      "## Tasks",
      "",
      ...this.#taskLines(state),
      `**Summary**: ${counts.done}/${state.tasks.size} tasks successful, ${counts.failed} failed, ${counts.working} working, ${counts.needs_you} waiting for a person, ${counts.waiting} waiting`,
      "",
    ];
    return lines.join("\n");
  }

  #taskLines(state: State): string[] {
    const lines: string[] = [];
    let toFold = Math.max(0, groupCounts(state).done - toldAtLengthMax);
    let notBegun = 0;
    for (const task of state.tasks.values()) {
      const story = this.#tasks.get(task.facts.task);
      const isDone = task.phase.name === "verified";
      if (!story && !isDone) notBegun += 1;
      else if (isDone && toFold > 0) {
        toFold -= 1;
        lines.push(`${heading(task)}`, "");
      } else lines.push(heading(task), "", ...storyLines(story), ...commitLines(task), "");
    }
    if (notBegun > 0) lines.push(`… ${counted(notBegun, "task")} not begun`, "");
    return lines;
  }
}

function heading({ facts, phase }: Task): string {
  const title = facts.title === facts.task ? "" : `: ${plain(facts.title)}`;
  return `### ${marks[groupOf(phase)]} ${plain(facts.task)}${title}`;
}

const marks = { done: "✅", failed: "❌", working: "▶", needs_you: "❓", waiting: "·" } as const;

function storyLines(story: Story | undefined): string[] {
  if (!story) return ["- ✅ was done before the run"];
  const before = story.leftOut > 0 ? [`- … ${grouped(story.leftOut)} earlier (all of them: cox log)`] : [];
  return [
    ...before,
    ...story.lines.map(({ at, sign, words }) => `- ${second(at)} ${signs[sign]} ${escaped(words)}`),
  ];
}

const signs = { "✓": "✅", "✗": "❌", "▶": "▶", "!": "⚠️", "?": "❓", "↩": "↩", "·": "·" } as const;

function commitLines({ phase }: Task): string[] {
  const commit = phase.name === "verified" ? phase.commit : undefined;
  if (!commit) return [];
  const shown = commit.files.slice(0, filesMax).map((file) => `  - ${plain(file)}`);
  const left = commit.files.length - shown.length;
  return left > 0 ? [...shown, `  - … ${counted(left, "more file")}`] : shown;
}

function minute(at: number): string {
  return `${isoTime(at).slice(0, 16).replace("T", " ")} UTC`;
}

function second(at: number): string {
  return isoTime(at).slice(0, 19).replace("T", " ");
}

/** Words of others forge no lines of ours, and no picture or markup of theirs is shown. */
function plain(text: string): string {
  return escaped(oneLine(text, 500));
}

function escaped(line: string): string {
  return line.replace(/[<[\]`]/g, "\\$&");
}
