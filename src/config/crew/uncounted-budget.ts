/**
 * Finds a budget in money that cannot be enforced: the cost of an agent it covers is unknown, and there is no limit of
 * turns or time besides. Such a run asks for a limit before it starts.
 */
import type { Plan, TaskId } from "../../plan/plan.ts";
import type { Budget } from "../../plan/value-readers.ts";
import { counted, grouped } from "../../std/counted.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Assignment, CrewAgent, CrewProblem, CrewSources, UncountedBudget } from "./crew.ts";
import { type UnknownCost, unknownCost } from "./unknown-cost.ts";

export interface BudgetJudgement {
  readonly problems: readonly CrewProblem[];
  readonly notes: readonly string[];
  readonly uncounted?: UncountedBudget;
}

interface Crewed {
  readonly agents: ReadonlyMap<string, CrewAgent>;
  readonly assignments: ReadonlyMap<TaskId, Assignment>;
}

export function judgeBudget(sources: CrewSources, crewed: Crewed): BudgetJudgement {
  const ofRun = sources.settings.budget?.value ?? {};
  const met = moneyMeets(sources, crewed, ofRun);
  const [first] = met;
  if (!first) return { problems: [], notes: [] };
  const open = [...crewed.assignments.keys()].length;
  const names = [...new Set(met.map(({ agent }) => agent.name))];
  const unbounded = met.find(({ budget }) => !isBounded(budget) && !isBounded(ofRun));
  if (!unbounded)
    return {
      problems: [],
      notes: [
        `the cost of ${namesOf(names)} is unknown: the limit of turns or time ends the run, not the one in money`,
      ],
    };
  const turns = Math.max(10, 4 * open);
  const { budget, task } = unbounded;
  const uncounted: UncountedBudget = {
    budget,
    ...(task !== undefined && { task }),
    agent: unbounded.agent.name,
    others: names.length - 1,
    why: unbounded.unknown.why,
    turns,
  };
  const problems = names.flatMap((name) => {
    const one = met.find(({ agent }) => agent.name === name);
    return one ? [warning(sources, one, uncounted)] : [];
  });
  return { problems, notes: [], uncounted };
}

/** Whether it has a limit that works whatever an agent reports. */
export function isBounded({ turns, timeMs }: Budget): boolean {
  return turns !== undefined || timeMs !== undefined;
}

interface Met {
  readonly agent: CrewAgent;
  readonly unknown: UnknownCost;
  readonly budget: Budget;
  readonly task?: TaskId;
}

/** Each agent of unknown cost that a budget in money covers, as author, auditor or stand-in. */
function moneyMeets({ plan, reporting }: CrewSources, crewed: Crewed, ofRun: Budget): Met[] {
  const budgets = new Map(budgetsOfTasks(plan));
  const met: Met[] = [];
  for (const [task, assignment] of crewed.assignments)
    for (const name of playersOf(assignment)) {
      const agent = crewed.agents.get(name);
      const unknown = agent && !reporting?.has(name) ? unknownCost(agent) : undefined;
      if (!agent || !unknown) continue;
      const own = budgets.get(task);
      if (own?.usdMicros !== undefined) met.push({ agent, unknown, budget: own, task });
      if (ofRun.usdMicros !== undefined) met.push({ agent, unknown, budget: ofRun });
    }
  return met;
}

function budgetsOfTasks({ tasks }: Plan): [TaskId, Budget][] {
  return tasks.flatMap(({ id, budget }) => (budget === undefined ? [] : [[id, budget]]));
}

export function playersOf({ agent, auditor, agents = [], auditors = [] }: Assignment): string[] {
  return [...new Set([agent, ...(auditor === undefined ? [] : [auditor]), ...agents, ...auditors])];
}

function warning({ plan, config }: CrewSources, met: Met, uncounted: UncountedBudget): CrewProblem {
  const { agent, unknown } = met;
  const configured = config.agents.get(agent.name)?.at;
  const planned = plan.agents.find(({ name }) => name === agent.name)?.at;
  return {
    source: configured || !planned ? "config" : "plan",
    at: configured ?? planned ?? { start: 0, end: 1 },
    severity: "warning",
    code: "COST_UNKNOWN",
    message: `a budget of ${money(uncounted.budget)} is set, but the cost of ${oneLine(agent.name, 60)} is unknown: ${unknown.why}`,
    hint: `${unknown.hint}, or limit turns or time too: ${lineFor(uncounted)}`,
  };
}

/** What to write: "budget: 1 USD, 40 turns". */
function lineFor({ budget, task, turns }: UncountedBudget): string {
  const { usdMicros, tokens } = budget;
  const parts = [
    ...(usdMicros === undefined ? [] : [money(budget)]),
    ...(tokens === undefined ? [] : [`${grouped(tokens)} tokens`]),
    `${grouped(turns)} turns`,
  ];
  return `${task === undefined ? "budget" : "Budget"}: ${parts.join(", ")}`;
}

export function uncountedProblem(uncounted: UncountedBudget): Problem {
  const { agent, others, why, task, budget } = uncounted;
  const where = task === undefined ? "" : ` of ${quote(task, 60)}`;
  const more = others > 0 ? ` and ${counted(others, "other agent")}` : "";
  return {
    code: "BUDGET_UNCOUNTED",
    message: `the budget of ${money(budget)}${where} could not end the run: the cost of ${oneLine(agent, 60)}${more} is unknown (${why})`,
    hint: `Limit turns or time too: ${lineFor(uncounted)}`,
  };
}

function money({ usdMicros = 0 }: Budget): string {
  return `${usdMicros / 1_000_000} USD`;
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => oneLine(name, 60));
  const left = names.length - shown.length;
  return left > 0 ? `${shown.join(", ")} and ${left} more` : shown.join(", ");
}
