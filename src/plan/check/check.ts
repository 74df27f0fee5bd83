/** The design check: what can be wrong with a plan even though every line could be read. */
import { counted, grouped } from "../../std/counted.ts";
import { noEffectWords } from "../../std/no-effect-yet.ts";
import { oneLine, quote } from "../../std/printable.ts";
import { idFromTitle } from "../id.ts";
import type { Plan, PlanTask } from "../plan.ts";
import type { PlanFindings } from "../problem.ts";
import { capitalised } from "../read/near-field.ts";
import type { Suggestions } from "../suggestions.ts";
import { findCycles, type Graph, makeGraph } from "./graph.ts";

/** What is known besides the document. Missing facts are not judged. */
export interface PlanSurroundings {
  /** Names of agents that the configuration defines. */
  readonly agents?: readonly string[];
  /** Whether the configuration has verify commands or an auditor. */
  readonly canVerify?: boolean;
}

export interface CheckContext {
  readonly findings: PlanFindings;
  readonly suggestions: Suggestions;
}

const tasksMax = 100_000;
const dependenciesMax = 5_000_000;
/** Nobody reads the hundredth cycle. */
const cyclesMax = 100;

export function checkPlan(plan: Plan, surroundings: PlanSurroundings, checking: CheckContext): void {
  checkCounts(plan, checking);
  const byId = checkIds(plan, checking);
  checkDependencies(plan, byId, checking);
  checkAgents(plan, surroundings, checking);
  checkVerify(plan, surroundings, checking);
  checkIneffective(plan, checking);
}

/** By index in the plan. Dependencies that do not exist are left out. */
export function planGraph({ tasks }: Plan): Graph {
  const indexes = new Map<string, number>();
  tasks.forEach(({ id }, index) => {
    if (!indexes.has(id)) indexes.set(id, index);
  });
  return makeGraph(
    tasks.map(({ dependsOn }) =>
      dependsOn.flatMap(({ name }) => {
        const index = indexes.get(name);
        return index === undefined ? [] : [index];
      }),
    ),
  );
}

function checkCounts({ tasks, taskSections }: Plan, { findings }: CheckContext): void {
  const top = { start: 0, end: 1 };
  if (tasks.length > tasksMax) {
    const at = tasks[tasksMax]?.place.title ?? top;
    const message = `the plan has ${grouped(tasks.length)} tasks; the limit is ${grouped(tasksMax)}`;
    findings.block("LIMIT_TASKS", at, message, "Split it into several plans.");
  }
  const dependencies = tasks.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0);
  if (dependencies > dependenciesMax) {
    const message = `the plan has ${grouped(dependencies)} dependencies; the limit is ${grouped(dependenciesMax)}`;
    findings.block("LIMIT_DEPENDENCIES", top, message, "Leave out what follows from other dependencies.");
  }
  if (tasks.length > 0) return;
  const section = taskSections[0];
  const at = section ? { start: Math.max(0, section.below - 1), end: section.below } : top;
  const message = section
    ? "the Tasks heading has no task below it"
    : "the document has no heading called Tasks";
  findings.block(
    "PLAN_NO_TASKS",
    at,
    message,
    "Write a line ## Tasks, and below it one line for each task: - [ ] Fix the typo",
  );
}

function checkIds({ tasks }: Plan, { findings }: CheckContext): ReadonlyMap<string, PlanTask> {
  const byId = new Map<string, PlanTask>();
  const byKey = new Map<string, PlanTask>();
  for (const task of tasks) {
    const { id, key, place } = task;
    const other = byId.get(id) ?? byKey.get(key);
    if (!other) {
      byId.set(id, task);
      byKey.set(key, task);
      continue;
    }
    const message = `two tasks have the id ${quote(id, 60)}: ${quote(other.title, 60)} and ${quote(task.title, 60)}`;
    const hint = `Change one of the titles, or pin another id below it: - Id: ${oneLine(id, 60)}-2`;
    findings.block("PLAN_DUPLICATE_ID", place.title, message, hint);
  }
  return byId;
}

function checkDependencies(
  plan: Plan,
  byId: ReadonlyMap<string, PlanTask>,
  { findings, suggestions }: CheckContext,
): void {
  let ids: readonly string[] | undefined;
  for (const { id, dependsOn } of plan.tasks) {
    for (const { name, at } of dependsOn) {
      if (byId.has(name)) continue;
      ids ??= [...byId.keys()];
      const slugged = idFromTitle(name);
      const near = byId.has(slugged) ? slugged : suggestions.nearest(name, ids);
      findings.block(
        "PLAN_UNKNOWN_DEPENDENCY",
        at,
        `${quote(id, 60)} depends on ${quote(name, 60)}, which is not in this plan`,
        near ? `Did you mean #${near}?` : "Write the id of a task of this plan, or add a task with that id.",
      );
    }
  }
  if (plan.tasks.length > tasksMax) return;
  for (const cycle of findCycles(planGraph(plan), cyclesMax)) reportCycle(plan, cycle, findings);
}

/** Longer cycles are shown by their ends. */
const pathMax = 12;

function reportCycle({ tasks }: Plan, cycle: readonly number[], findings: PlanFindings): void {
  const ids = cycle.map((index) => tasks[index]?.id ?? "");
  const shown =
    ids.length <= pathMax
      ? ids
      : [...ids.slice(0, pathMax - 2), `… ${ids.length - pathMax} more …`, ids.at(-2), ids.at(-1)];
  const path = shown.map((id) => oneLine(id ?? "", 60)).join(" → ");
  const [first = 0, second = 0] = cycle;
  const edge = tasks[first]?.dependsOn.find(({ name }) => name === tasks[second]?.id);
  const at = edge?.at ?? tasks[first]?.place.title ?? { start: 0, end: 1 };
  const message =
    cycle.length === 2
      ? `a task depends on itself: ${path}`
      : `tasks depend on each other in a circle: ${path}`;
  findings.block(
    "PLAN_CYCLE",
    at,
    message,
    "Take one of these dependencies out; none of the tasks could ever begin.",
  );
}

function checkAgents(
  plan: Plan,
  surroundings: PlanSurroundings,
  { findings, suggestions }: CheckContext,
): void {
  if (plan.agents.length === 0 && surroundings.agents === undefined) return;
  const known = [...new Set([...plan.agents.map(({ name }) => name), ...(surroundings.agents ?? [])])];
  const isKnown = new Set(known);
  for (const task of plan.tasks) {
    for (const [key, name] of [
      ["agent", task.agent],
      ["auditor", task.auditor],
    ] as const) {
      if (name === undefined || isKnown.has(name)) continue;
      const near = suggestions.nearest(name, known);
      const at = task.fields.find((field) => field.key === key)?.value ?? task.place.title;
      findings.block(
        "PLAN_UNKNOWN_AGENT",
        at,
        `${quote(task.id, 60)} names the ${key} ${quote(name, 60)}, which does not exist`,
        near
          ? `Did you mean ${oneLine(near, 60)}?`
          : `Add it below ## Agents: - ${oneLine(name, 60)}: developer on claude-code`,
      );
    }
  }
}

function checkVerify(plan: Plan, surroundings: PlanSurroundings, { findings }: CheckContext): void {
  const { settings, tasks, agents } = plan;
  for (const task of tasks) {
    const field = task.fields.find(({ key }) => key === "verify");
    if (!field) continue;
    if (field.value.start >= field.value.end) warnOfEmpty(task, field.value, findings);
    else warnOfWeak(task.verify, field.value, findings);
  }
  if (settings.verify) warnOfWeak(settings.verify, plan.frontMatter?.yaml ?? { start: 0, end: 1 }, findings);
  const hasAuditor = agents.some(({ role }) => /audit|verif/i.test(role));
  if (settings.audit === "none" || hasAuditor || surroundings.canVerify) return;
  const open = tasks.filter(
    ({ isDone, verify, auditor }) => !isDone && verify.length === 0 && auditor === undefined,
  );
  const [first] = open;
  if (!first) return;
  const more = open.length > 1 ? ` and ${counted(open.length - 1, "other task")}` : "";
  findings.block(
    "PLAN_NO_VERIFY",
    first.place.title,
    `${quote(first.id, 60)}${more} could never be judged: there is no verify command and no auditor`,
    "Write verify: npm test (or whatever tests your project) between two --- lines at the top, add an agent with the role auditor, or write audit: none.",
  );
}

function warnOfEmpty({ id, verify }: PlanTask, at: PlanTask["place"]["title"], findings: PlanFindings): void {
  const instead =
    verify.length === 0 ? "no command of its own checks it" : "only the commands for all tasks check it";
  findings.warn(
    "PLAN_EMPTY_VERIFY",
    at,
    `Verify of ${quote(id, 60)} is empty: ${instead}`,
    "Write the command behind it, or take the line out.",
  );
}

/** Warns about fields without an effect, for anyone who counts on one. */
function checkIneffective({ tasks }: Plan, { findings }: CheckContext): void {
  for (const { fields } of tasks) {
    for (const { key, name, whole, value } of fields) {
      const warning = noEffectWords("field", capitalised(key), oneLine(name, 40));
      if (!warning) continue;
      const at = value.start < value.end ? value : whole;
      findings.warn("PLAN_NO_EFFECT", at, warning.message, warning.hint);
    }
  }
}

function warnOfWeak(
  commands: readonly string[],
  at: PlanTask["place"]["title"],
  findings: PlanFindings,
): void {
  for (const command of commands) {
    if (!isWeak(command)) continue;
    findings.warn(
      "PLAN_WEAK_VERIFY",
      at,
      `the verify command ${quote(command, 60)} succeeds whatever the agent did`,
      "Write a command that fails when the work is not done; approving the plan approves this one.",
    );
  }
}

/** Commands that cannot fail, alone or at the end of others. */
export function isWeak(command: string): boolean {
  const last =
    command
      .split(/\|\||;|\|/)
      .at(-1)
      ?.trim() ?? "";
  return (
    /^(?:true|:|exit(?: 0)?|\/(?:usr\/)?bin\/true|echo\b.*|printf\b.*|test 1|\[ 1 \])$/.test(last) ||
    command.trim() === ""
  );
}
