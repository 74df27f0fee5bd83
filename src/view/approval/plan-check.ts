/** The output of `cox check`: the plan's problems with their source lines, then the plan at a glance. */

import type { Picture } from "../../plan/picture.ts";
import type { PlanTask } from "../../plan/plan.ts";
import type { PlanProblem } from "../../plan/problem.ts";
import type { ParsedPlan } from "../../plan/read/parse.ts";
import { counted } from "../../std/counted.ts";
import { oneLine, printableLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { problemDocument } from "../text/document.ts";
import { type Display, lineText } from "../text/line.ts";
import type { Paint } from "../text/paint.ts";
import { problemsText } from "../text/problems.ts";
import { type Row, tableLines } from "../text/table.ts";

/** Nobody reads the two-hundredth; `--json` has them all. */
const problemsMax = 50;
const levelsMax = 30;
const tasksOfLevelMax = 20;

export interface CheckedPlan extends ParsedPlan, CheckedFile {
  readonly picture: Picture;
  /** The configuration and the profiles that the plan would be run with. */
  readonly around?: readonly CheckedFile[];
  /** Not a problem, but worth saying. */
  readonly notes?: readonly string[];
  /** Who would do each open task, if known. */
  readonly agents?: ReadonlyMap<string, { readonly agent: string; readonly auditor?: string }>;
  /** The verify commands of each task; missing if it is not known who would do what. */
  readonly verifies?: ReadonlyMap<string, readonly string[]>;
  /** How many agents may work at once. */
  readonly slots?: number;
  /** Why nothing can be run in this repository, whatever the plan says. */
  readonly inTheWay?: Problem;
}

export interface CheckedFile {
  /** As the user named the file, or would name it. */
  readonly name: string;
  /** Empty if it could not be read; then none of its lines are shown. */
  readonly text: string;
  /** In the order of the file. */
  readonly problems: readonly PlanProblem[];
}

export function planCheckText(checked: CheckedPlan, look: Display): string {
  const { plan, notes = [] } = checked;
  const { paint } = look;
  const problemsShown = filesText(filesOf(checked), paint);
  const picture = plan.tasks.length > 0 ? `${pictureText(checked, look)}\n` : "";
  const said = notes.map((note) => `${paint("dim", oneLine(note, 200))}\n`).join("");
  return `${problemsShown}${problemsShown === "" ? "" : "\n"}${picture}${said}${sumText(checked, paint)}`;
}

/** Warnings, which do not block a plan but must be seen before it is approved. */
export function planWarningsText(checked: CheckedPlan, paint: Paint): string {
  const files = filesOf(checked).map((file) => ({
    ...file,
    problems: file.problems.filter(({ severity }) => severity === "warning"),
  }));
  return filesText(files, paint);
}

function filesText(files: readonly CheckedFile[], paint: Paint): string {
  const texts: string[] = [];
  for (const file of files) {
    const shown = file.problems.slice(0, problemsMax - texts.length);
    const lines = linesOf(file.text, shown);
    const sourceOf = (at: number) => (file.text === "" ? undefined : (lines[at] ?? ""));
    texts.push(...shown.map((problem, at) => problemText(problem, sourceOf(at), file.name, paint)));
  }
  const left = files.reduce((sum, { problems }) => sum + problems.length, 0) - texts.length;
  if (left > 0) texts.push(`  … and ${left} more (all of them: --json)\n`);
  return texts.join("");
}

function filesOf(checked: CheckedPlan): readonly CheckedFile[] {
  return [...(checked.around ?? []), checked];
}

/** The source lines of the problems. They are in document order, so one pass finds them all. */
function linesOf(text: string, problems: readonly PlanProblem[]): string[] {
  let line = 1;
  let start = 0;
  return problems.map((problem) => {
    while (line < problem.line) {
      start = text.indexOf("\n", start) + 1;
      line += 1;
    }
    const end = text.indexOf("\n", start);
    return text.slice(start, end === -1 ? text.length : end);
  });
}

const widthMax = 100;

function problemText(problem: PlanProblem, source: string | undefined, name: string, paint: Paint): string {
  const { code, severity, line, column, length, message, hint } = problem;
  const mark = severity === "blocking" ? paint("red", `✗ ${code}`) : paint("yellow", `! ${code}`);
  const number = String(line);
  const bar = paint("dim", "│");
  // Tabs and escaped characters would shift the underline away from what it marks.
  const plain = (source ?? "").replaceAll("\t", " ");
  const shown = printableLine(plain, widthMax);
  const before = printableLine(plain.slice(0, column - 1), widthMax).length;
  const marked = printableLine(plain.slice(column - 1, column - 1 + length), widthMax).length;
  const isShown = column - 1 + length <= widthMax;
  const gap = " ".repeat(before);
  const under = isShown
    ? `    ${" ".repeat(number.length)} ${bar} ${gap}${paint("red", "^".repeat(Math.max(1, marked)))}\n`
    : "";
  return [
    `${mark}  ${oneLine(name)}:${line}:${column}\n`,
    `    ${oneLine(message, 2000)}\n`,
    source === undefined ? "" : `    ${number} ${bar} ${shown}\n${under}`,
    `    ${paint("dim", oneLine(hint, 2000))}\n`,
  ].join("");
}

function pictureText(checked: CheckedPlan, look: Display): string {
  const { plan, picture, slots = Number.POSITIVE_INFINITY } = checked;
  const { paint } = look;
  const { levels, stuck, overlaps } = picture;
  const width = Math.min(picture.width, slots);
  const levelRows = (tasks: readonly PlanTask[]) => taskRows(tasks, checked, look);
  const title = plan.title === "" ? "" : `${oneLine(plan.title, 80)}: `;
  const head = `${title}${counted(plan.tasks.length, "task")} in ${counted(levels.length, "level")}, at most ${width} at once`;
  const rows = levels.slice(0, levelsMax).flatMap((tasks, at) => [`level ${at + 1}`, ...levelRows(tasks)]);
  if (levels.length > levelsMax) rows.push(`… ${counted(levels.length - levelsMax, "more level")}`);
  if (stuck.length > 0) rows.push(paint("red", "never"), ...levelRows(stuck));
  if (overlaps.length > 0) rows.push("files declared by two tasks of one level");
  for (const { tasks, pattern } of overlaps.slice(0, tasksOfLevelMax)) {
    rows.push(
      `  ${oneLine(pattern, 60)}  ${paint("dim", tasks.map(({ id }) => oneLine(id, 60)).join(", "))}`,
    );
  }
  if (overlaps.length > tasksOfLevelMax) rows.push(`  … ${overlaps.length - tasksOfLevelMax} more`);
  return `${paint("bold", head)}\n${rows.join("\n")}\n`;
}

const indent = "  ";

/** Who does it, who audits it, what verifies it, what it waits for: in columns, as far as there are any. */
function taskRows(tasks: readonly PlanTask[], checked: CheckedPlan, look: Display): string[] {
  const shown = tasks.slice(0, tasksOfLevelMax);
  const cells = shown.map(
    (task): Row => [
      oneLine(task.id, 200),
      oneLine(checked.agents?.get(task.id)?.agent ?? task.agent ?? "", 200),
      ...auditCells(task, checked),
      ["dim", afterWords(task)],
    ],
  );
  const used = (cells[0] ?? []).map((_, at) => cells.some((row) => textOf(row[at]) !== ""));
  const columns = Math.max(1, look.columns - indent.length);
  const lines = tableLines(
    cells.map((row) => row.filter((_, at) => used[at])),
    columns - 2,
  );
  const rows = lines.map((line, at) => {
    const mark = shown[at]?.isDone ? (["green", "✓"] as const) : "·";
    return `${indent}${lineText([mark, " ", ...line], { ...look, columns })}`;
  });
  if (tasks.length > shown.length) rows.push(`  … ${counted(tasks.length - shown.length, "more task")}`);
  return rows;
}

/** Empty for a done task, or if the crew is not known. */
function auditCells({ id, isDone }: PlanTask, { agents, verifies }: CheckedPlan): [string, string] {
  const commands = verifies?.get(id);
  const assigned = agents?.get(id);
  if (isDone || !commands || !assigned) return ["", ""];
  const { auditor } = assigned;
  return [
    auditor === undefined ? "no auditor" : `audited by ${oneLine(auditor, 200)}`,
    commands.length === 0 ? "no verify command" : `verify: ${oneLine(commands.join("; "), 300)}`,
  ];
}

function afterWords({ dependsOn }: PlanTask): string {
  const names = dependsOn.slice(0, 5).map(({ name }) => oneLine(name, 60));
  if (dependsOn.length > 5) names.push(`${dependsOn.length - 5} more`);
  return names.length === 0 ? "" : `after ${names.join(", ")}`;
}

function textOf(cell: Row[number] | undefined): string {
  return typeof cell === "string" ? cell : (cell?.[1] ?? "");
}

function sumText(checked: CheckedPlan, paint: Paint): string {
  const { name } = checked;
  const problems = filesOf(checked).flatMap((file) => file.problems);
  const blocking = problems.filter(({ severity }) => severity === "blocking").length;
  const warnings = problems.length - blocking;
  const warned = warnings === 0 ? "" : `, ${counted(warnings, "warning")}`;
  const { inTheWay } = checked;
  if (blocking === 0 && inTheWay) {
    const here = problemsText([inTheWay], "warning", paint);
    return `${here}${paint("yellow", "!")} ${oneLine(name)} is sound${warned}, but cannot be run here yet\n`;
  }
  if (blocking === 0) return `${paint("green", "✓")} ${oneLine(name)} can be run${warned}\n`;
  return `${paint("red", "✗")} ${oneLine(name)} cannot be run: ${counted(blocking, "problem")}${warned}\n`;
}

export function planCheckDocument(checked: CheckedPlan) {
  const { plan, picture, notes = [] } = checked;
  const levelOf = new Map(
    picture.levels.flatMap((tasks, level) => tasks.map((task) => [task, level + 1] as const)),
  );
  const errors = placedDocuments(checked, "blocking");
  return {
    ok: errors.length === 0,
    title: plan.title,
    width: picture.width,
    at_once: Math.min(picture.width, checked.slots ?? picture.width),
    levels: picture.levels.length,
    tasks: plan.tasks.map((task, at) => ({
      id: task.id,
      title: task.title,
      done: task.isDone,
      level: levelOf.get(task) ?? null,
      agent: checked.agents?.get(task.id)?.agent ?? task.agent ?? null,
      auditor: checked.agents?.get(task.id)?.auditor ?? null,
      verify: checked.verifies?.get(task.id) ?? null,
      depends_on: task.dependsOn.map(({ name }) => name),
      downstream: picture.downstream[at] ?? 0,
      writes: task.writes,
    })),
    overlaps: picture.overlaps.map(({ level, pattern, tasks }) => ({
      level: level + 1,
      pattern,
      tasks: tasks.map(({ id }) => id),
    })),
    notes,
    /** Set if nothing can be run in this repository. */
    in_the_way: checked.inTheWay ? problemDocument(checked.inTheWay) : null,
    warnings: planWarnings(checked),
    errors,
  };
}

export function planWarnings(checked: CheckedPlan) {
  return placedDocuments(checked, "warning");
}

function placedDocuments(checked: CheckedPlan, wanted: PlanProblem["severity"]) {
  return filesOf(checked)
    .flatMap((file) => file.problems)
    .filter(({ severity }) => severity === wanted)
    .map((problem) => ({
      ...problemDocument(problem),
      line: problem.line,
      column: problem.column,
      length: problem.length,
    }));
}
