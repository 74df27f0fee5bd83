/**
 * `progress.md` of a run, for people: how far it is; for each task what happened and when, what it changed and how it was
 * verified; and for each changeset what was done to the files. It is a view of the log: events are added in order, and
 * the text can be made at any time.
 *
 * The text stays small, however long the run: a limited number of tasks, the newest changesets, and all others in pages
 * that are written once. An event costs the same at the end of a run as at its start.
 */
import type { Occurred } from "../../kernel/evolve.ts";
import type { State, Task } from "../../kernel/state.ts";
import { counted, grouped } from "../../std/counted.ts";
import { escapeMarkdown, markdownLine } from "../../std/markdown-line.ts";
import { spentText } from "../cost/spent.ts";
import { type LogLine, LogReader } from "../log/log-line.ts";
import { isoTime } from "../run-times.ts";
import { groupCounts, groupOf } from "../status/groups.ts";
import { noLiveness } from "../status/liveness.ts";
import { runHeadline } from "../status/run-headline.ts";
import { duration } from "../text/duration.ts";
import { OperationEntries } from "./operation-entries.ts";
import { ProgressPages, pageName } from "./progress-pages.ts";

/** The last lines of a task; the log has them all. */
const linesOfTaskMax = 40;
/** How many done tasks (the last of the plan), and as many others, are described: the file is rewritten often. */
const shownAtLengthMax = 200;
const filesMax = 20;

interface Story {
  readonly lines: LogLine[];
  leftOut: number;
}

export class RunProgress {
  readonly #reader = new LogReader();
  readonly #tasks = new Map<string, Story>();
  readonly #entries = new OperationEntries();
  readonly #pages: ProgressPages;
  #began = 0;

  constructor(pages = new ProgressPages()) {
    this.#pages = pages;
  }

  /** Full pages that are not written yet; the caller reports when it has written them. */
  get pages(): Pick<ProgressPages, "unwritten" | "written"> {
    return this.#pages;
  }

  add(occurred: Occurred): void {
    for (const entry of this.#entries.read(occurred)) this.#pages.add(entry);
    if (occurred.event === "run_started") this.#began = occurred.at;
    const line = this.#reader.read(occurred);
    const isShown = line.level < 3 || occurred.event === "verification_passed";
    if (line.task === undefined || !isShown) return;
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
    const { words, detail } = runHeadline({ state, now: state, liveness: noLiveness(true) });
    const cost = spentText(state);
    const lines = [
      `# ${markdownLine(run?.title || "(no title)")}`,
      "",
      `**Run**: ${markdownLine(run?.run ?? "")} on ${markdownLine(run?.branch ?? "")}, of ${markdownLine(run?.plan_file ?? "")}`,
      `**Began**: ${minute(this.#began)}`,
      `**Status**: ${words}${detail === undefined ? "" : ` (${markdownLine(detail)})`}`,
      `**Spent**: ${[duration(state.time), cost].filter((each) => each !== "").join(" · ")}`,
      "",
      "## Tasks",
      "",
      ...this.#taskLines(state),
      `**Summary**: ${counts.done}/${state.tasks.size} tasks successful, ${counts.failed} failed, ${counts.working} working, ${counts.needs_you} waiting for a person, ${counts.waiting} waiting`,
      "",
      "## File operations",
      "",
      ...this.#entryLines(),
    ];
    return lines.join("\n");
  }

  #entryLines(): string[] {
    const { earlier } = this.#pages;
    const newest = this.#pages.newest();
    const [first, last] = [pageName(1), pageName(earlier)];
    const where = earlier > 1 ? `${first} to ${last}` : first;
    return [
      ...(earlier > 0 ? [`… earlier ones: ${where}`, ""] : []),
      newest === "" ? "none yet" : newest.trimEnd(),
      "",
    ];
  }

  #taskLines(state: State): string[] {
    const lines: string[] = [];
    const folded = Math.max(0, groupCounts(state).done - shownAtLengthMax);
    let done = 0;
    let others = 0;
    let notBegun = 0;
    for (const task of state.tasks.values()) {
      const story = this.#tasks.get(task.facts.task);
      const isDone = task.phase.name === "done";
      if (isDone) done += 1;
      else if (story) others += 1;
      else notBegun += 1;
      const isShown = isDone ? done > folded : story !== undefined && others <= shownAtLengthMax;
      if (isShown) lines.push(heading(state, task), "", ...storyLines(story), ...commitLines(task), "");
    }
    if (folded > 0) lines.unshift(`… ${counted(folded, "more task")} done (all of them: cox log)`, "");
    const left = others - shownAtLengthMax;
    if (left > 0)
      lines.push(`… ${counted(left, "more task")} started and not done (all of them: cox log)`, "");
    if (notBegun > 0) lines.push(`… ${counted(notBegun, "task")} not started`, "");
    return lines;
  }
}

function heading(state: State, task: Task): string {
  const { facts } = task;
  const title = facts.title === facts.task ? "" : `: ${markdownLine(facts.title)}`;
  return `### ${marks[groupOf(state, task)]} ${markdownLine(facts.task)}${title}`;
}

const marks = { done: "✅", failed: "❌", working: "▶", needs_you: "❓", waiting: "·" } as const;

function storyLines(story: Story | undefined): string[] {
  if (!story) return ["- ✅ was done before the run"];
  const before = story.leftOut > 0 ? [`- … ${grouped(story.leftOut)} earlier (all of them: cox log)`] : [];
  return [
    ...before,
    ...story.lines.map(({ at, sign, words }) => `- ${second(at)} ${signs[sign]} ${escapeMarkdown(words)}`),
  ];
}

const signs = { "✓": "✅", "✗": "❌", "▶": "▶", "!": "⚠️", "?": "❓", "↩": "↩", "·": "·" } as const;

function commitLines({ phase }: Task): string[] {
  const commit = phase.name === "done" ? phase.commit : undefined;
  if (!commit) return [];
  const shown = commit.files.slice(0, filesMax).map((file) => `  - ${markdownLine(file)}`);
  const left = commit.files.length - shown.length;
  return left > 0 ? [...shown, `  - … ${counted(left, "more file")}`] : shown;
}

function minute(at: number): string {
  return `${isoTime(at).slice(0, 16).replace("T", " ")} UTC`;
}

function second(at: number): string {
  return isoTime(at).slice(0, 19).replace("T", " ");
}
