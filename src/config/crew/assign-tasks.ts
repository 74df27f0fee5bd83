/** Assigns an author and an auditor to each open task, never the same agent, and the fallback order of each. */

import type { PlanTask, TaskId } from "../../plan/plan.ts";
import { plainKey } from "../../plan/read/field.ts";
import { closestName } from "../../std/closest-name.ts";
import { counted } from "../../std/counted.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Config } from "../file/config.ts";
import { type TaskSettings, taskSettings } from "../settings/task-settings.ts";
import type { Assignment, CrewAgent, CrewProblem, CrewSources } from "./crew.ts";
import { isAuditorRole } from "./crew-agents.ts";
import { FallBack } from "./fall-back.ts";

export interface Assigned {
  readonly assignments: ReadonlyMap<TaskId, Assignment>;
  readonly problems: readonly CrewProblem[];
  readonly notes: readonly string[];
}

export function assignTasks(
  agents: ReadonlyMap<string, CrewAgent>,
  sources: CrewSources & { readonly broken: ReadonlySet<string> },
): Assigned {
  const { plan, config, settings } = sources;
  const problems: CrewProblem[] = [...unknownPlayers(agents, config), ...unknownDefaults(agents, sources)];
  const doers = preferred(agents, config, (role) => !isAuditorRole(role));
  const auditors = preferred(agents, config, isAuditorRole);
  const fallBack = new FallBack({ agents, config, broken: sources.broken });
  const author = defaultAuthor(doers, sources);
  const assignments = new Map<TaskId, Assignment>();
  const idle: PlanTask[] = [];
  const unaudited: PlanTask[] = [];
  for (const task of plan.tasks) {
    if (task.isDone) continue;
    const own = taskSettings(task, settings);
    const agent = own.agent ?? author;
    // An unknown name is the plan's own problem, and reported there.
    if (agent === undefined) idle.push(task);
    if (agent === undefined || !agents.has(agent)) continue;
    const auditor =
      settings.audit?.value === "none" && own.auditor === undefined
        ? undefined
        : chooseAuditor({ task, agent, own, auditors, agents, problems, fallBack });
    if (auditor === undefined) unaudited.push(task);
    assignments.set(task.id, fallBack.whole({ agent, auditor, isAuditorNamed: own.auditor === auditor }));
  }
  if (idle[0]) problems.push(nobodyFor(idle[0], idle.length, doers));
  if (settings.audit?.value === "required" && unaudited[0]) {
    problems.push(noAuditor(unaudited[0], unaudited.length));
  }
  return { assignments, problems, notes: notesOn(unaudited, assignments.size, settings.audit?.value) };
}

/** The agents that the configuration prefers for roles of this kind, then all others of the kind in their own order. */
function preferred(
  agents: ReadonlyMap<string, CrewAgent>,
  { roles }: Config,
  isKind: (role: string) => boolean,
): string[] {
  const named = [...roles].filter(([role]) => isKind(role)).flatMap(([, players]) => players);
  const others = [...agents.values()].filter(({ role }) => isKind(role));
  const names = [...named.map(({ agent }) => agent), ...others.map(({ name }) => name)];
  return [...new Set(names)].filter((name) => agents.has(name));
}

/**
 * The author of tasks that name nobody: the only developer in the plan's own list, else the one that the configuration
 * prefers, else the only one it has, else the only one that exists just as a profile.
 */
function defaultAuthor(doers: readonly string[], { plan, config }: CrewSources): string | undefined {
  const planned = new Set(plan.agents.map(({ name }) => name));
  const ofPlan = doers.filter((name) => planned.has(name));
  if (ofPlan.length === 1) return ofPlan[0];
  const chosen = config.roles.get("developer")?.find(({ agent }) => doers.includes(agent))?.agent;
  if (chosen !== undefined) return chosen;
  const ofConfig = doers.filter((name) => config.agents.has(name));
  const nearest = [ofPlan, ofConfig, doers].find((names) => names.length > 0) ?? [];
  return nearest.length === 1 ? nearest[0] : undefined;
}

interface Choice {
  readonly task: PlanTask;
  readonly agent: string;
  readonly own: TaskSettings;
  readonly auditors: readonly string[];
  readonly agents: ReadonlyMap<string, CrewAgent>;
  readonly problems: CrewProblem[];
  readonly fallBack: FallBack;
}

function chooseAuditor(choice: Choice): string | undefined {
  const { task, agent, own, auditors, agents, problems, fallBack } = choice;
  const chosen = own.auditor;
  if (chosen !== undefined && chosen !== agent) return agents.has(chosen) ? chosen : undefined;
  const field = task.fields.find(({ key }) => key === "auditor");
  const [other] = fallBack.auditorsFor(agent);
  const isConflict = chosen === agent || (other === undefined && auditors.includes(agent));
  if (!isConflict) return other;
  const isSaidHere = field !== undefined && chosen === agent;
  const canDoWithout = own.verify.length > 0 && chosen === undefined;
  if (other !== undefined && !isSaidHere) return other;
  const id = quote(task.id, 60);
  const who = oneLine(agent, 60);
  problems.push({
    source: "plan",
    code: "ROLE_CONFLICT",
    severity: canDoWithout ? "warning" : "blocking",
    at: field?.value ?? task.place.title,
    message: canDoWithout
      ? `${who} does ${id} and is its only auditor, so the verify commands judge it alone`
      : `${who} would audit its own work on ${id}`,
    hint: other
      ? `Write Auditor: ${oneLine(other, 60)}, or leave the line out.`
      : "Add another agent with the role auditor, or name another author.",
  });
  return undefined;
}

function nobodyFor(task: PlanTask, count: number, doers: readonly string[]): CrewProblem {
  const more = count > 1 ? ` and ${counted(count - 1, "other task")}` : "";
  const of = `${quote(task.id, 60)}${more}`;
  const at = task.place.title;
  if (doers.length === 0) {
    return {
      source: "plan",
      code: "NO_AGENTS",
      severity: "blocking",
      at,
      message: `there is no agent that could do ${of}`,
      hint: 'Write into .coxswain/config.yaml: agents: { dev: { driver: command, command: ["node", "agent.mjs"] } }',
    };
  }
  const names = doers.slice(0, 10).map((name) => oneLine(name, 60));
  return {
    source: "plan",
    code: "AGENT_UNCLEAR",
    severity: "blocking",
    at,
    message: `${of} could be done by any of ${counted(doers.length, "agent")}: ${names.join(", ")}`,
    hint: `Say which: Agent: ${names[0]} on the task, agent: ${names[0]} at the top of the plan, or roles: { developer: [${names.join(", ")}] } in .coxswain/config.yaml`,
  };
}

function noAuditor(task: PlanTask, count: number): CrewProblem {
  const more = count > 1 ? ` and ${counted(count - 1, "other task")}` : "";
  return {
    source: "plan",
    code: "NO_AUDITOR",
    severity: "blocking",
    at: task.place.title,
    message: `audit: required is set, but no agent could audit ${quote(task.id, 60)}${more}`,
    hint: "Add an agent with the role auditor, or take audit: required out.",
  };
}

/** Only a warning, because the next agent in the list is used. */
function unknownPlayers(agents: ReadonlyMap<string, CrewAgent>, { roles }: Config): CrewProblem[] {
  return [...roles].flatMap(([role, players]) =>
    players
      .filter(({ agent }) => !agents.has(agent))
      .map(({ agent, at }) => ({
        source: "config" as const,
        code: "CONFIG_UNKNOWN_AGENT",
        severity: "warning" as const,
        at,
        message: `the role ${oneLine(plainKey(role), 60)} names ${quote(agent, 60)}, but there is no such agent`,
        hint: "Add it below agents:, or take it out of the list.",
      })),
  );
}

/**
 * `agent: x` in the plan is checked with the plan; a default from the configuration or the command line is checked here.
 */
function unknownDefaults(agents: ReadonlyMap<string, CrewAgent>, { settings }: CrewSources): CrewProblem[] {
  return (["agent", "auditor"] as const).flatMap((key) => {
    const said = settings[key];
    if (!said || said.origin === "plan" || agents.has(said.value)) return [];
    const near = closestName(said.value, [...agents.keys()]);
    const isTyped = said.origin === "command line";
    return [
      {
        source: isTyped ? ("command line" as const) : ("config" as const),
        ...(isTyped && { setting: key }),
        code: "CONFIG_UNKNOWN_AGENT",
        severity: "blocking" as const,
        at: { start: 0, end: 1 },
        message: `${key}: ${quote(said.value, 60)} is set (${said.origin}), but there is no such agent`,
        hint: near ? `Did you mean ${oneLine(near, 60)}?` : "Add it below agents: in .coxswain/config.yaml.",
      },
    ];
  });
}

function notesOn(unaudited: readonly PlanTask[], open: number, audit: string | undefined): string[] {
  if (unaudited.length === 0) return [];
  const which = unaudited.length === open ? "every task" : counted(unaudited.length, "task");
  const why = audit === "none" ? "audit: none is set" : "there is no auditor";
  return [`${why}: the verify commands alone judge ${which}`];
}
