/**
 * Resolves every agent that the plan or the configuration names. The plan overrides the configuration, which overrides
 * the profile.
 */

import { workModes } from "../../driver/work-modes.ts";
import type { PlanAgent } from "../../plan/plan.ts";
import { plainKey } from "../../plan/read/field.ts";
import { closestName } from "../../std/closest-name.ts";
import { present } from "../../std/present.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { ConfigAgent } from "../file/config.ts";
import type { CrewAgent, CrewProblem, CrewSources } from "./crew.ts";
import { modelPlace } from "./model-place.ts";
import type { Profile } from "./profile.ts";
import { nearestProfile, type Profiles } from "./profiles.ts";

export interface AgentProblem extends CrewProblem {
  readonly agent: string;
}

export function isAuditorRole(role: string): boolean {
  return /audit|verif/i.test(role);
}

export interface AgentSources extends Pick<CrewSources, "config" | "profiles" | "drivers"> {
  /** The plan's own list of agents. */
  readonly planned: readonly PlanAgent[];
}

export function resolveAgents(sources: AgentSources): {
  /** In the order of the plan, then the configuration, then the profiles. */
  readonly candidates: ReadonlyMap<string, CrewAgent>;
  readonly problems: readonly AgentProblem[];
} {
  const { config, profiles } = sources;
  const candidates = new Map<string, CrewAgent>();
  const problems: AgentProblem[] = [];
  const planned = new Map(sources.planned.map((agent) => [agent.name, agent]));
  // A project's profile that names its driver is an agent by itself.
  const selfMade = [...profiles.byName.values()].filter(({ driver }) => driver !== undefined);
  const names = new Set([...planned.keys(), ...config.agents.keys(), ...selfMade.map(({ name }) => name)]);
  for (const name of names) {
    const said: Said = { name, planned: planned.get(name), configured: config.agents.get(name) };
    candidates.set(name, resolveAgent(said, sources, problems));
  }
  return { candidates, problems };
}

interface Said {
  readonly name: string;
  readonly planned: PlanAgent | undefined;
  readonly configured: ConfigAgent | undefined;
}

function resolveAgent(said: Said, sources: AgentSources, problems: AgentProblem[]): CrewAgent {
  const { name, planned } = said;
  const problem = problemOf(said, problems);
  const profile = profileOf(said, sources.profiles, problem);
  const configured = relevantConfig(said, profile);
  const driver = planned?.driver ?? configured?.driver ?? inferredDriver(configured) ?? profile?.driver;
  const agent: CrewAgent = {
    name,
    role: plainKey(planned?.role ?? configured?.role ?? profile?.role ?? "developer"),
    driver: driver ?? "",
    ...present({
      model: configured?.model ?? profile?.model,
      works: configured?.works,
      command: configured?.command,
      args: configured?.args,
      acp: configured?.acp,
      script: configured?.script,
      ...(driver === "model"
        ? modelPlace({ ...configured, ...present({ model: configured?.model ?? profile?.model }) })
        : {}),
      passEnvironment: configured?.passEnvironment,
      account: configured?.account,
      tools: profile?.tools,
      timeoutMs: profile?.timeoutMs,
      profile: profile?.path,
      prices: sources.config.prices,
    }),
    instructions: profile?.instructions ?? "",
  };
  judgeDriver(agent, sources.drivers, problem);
  return agent;
}

type Tell = (code: string, message: string, hint: string) => void;

function problemOf({ name, planned, configured }: Said, problems: AgentProblem[]): Tell {
  const source = configured || !planned ? "config" : "plan";
  const at = configured?.at ?? planned?.at ?? { start: 0, end: 1 };
  return (code, message, hint) =>
    problems.push({ agent: name, source, at, severity: "blocking", code, message, hint });
}

/** The profile that is named; else one with the agent's own name, one for its role, or the shipped one of its kind. */
function profileOf(
  { name, planned, configured }: Said,
  profiles: Profiles,
  problem: Tell,
): Profile | undefined {
  const { byName } = profiles;
  const wanted = configured?.profile;
  if (wanted !== undefined) {
    const found = byName.get(wanted);
    if (found) return found;
    const near = nearestProfile(wanted, profiles);
    problem(
      "PROFILE_UNKNOWN",
      `the agent ${oneLine(name, 60)} has the profile ${quote(wanted, 60)}, which does not exist`,
      near
        ? `Did you mean ${near}?`
        : `Write .coxswain/agents/${oneLine(wanted, 60)}.md, or name one of: ${[...byName.keys()].slice(0, 20).join(", ")}`,
    );
  }
  const role = plainKey(planned?.role ?? configured?.role ?? byName.get(name)?.role ?? "developer");
  return byName.get(name) ?? byName.get(role) ?? byName.get(isAuditorRole(role) ? "auditor" : "developer");
}

/** Settings for one driver are useless for another, which the plan may name. */
function relevantConfig(
  { planned, configured }: Said,
  profile: Profile | undefined,
): ConfigAgent | undefined {
  if (!configured || planned?.driver === undefined) return configured;
  const driver = configured.driver ?? inferredDriver(configured) ?? profile?.driver;
  if (driver === undefined || driver === planned.driver) return configured;
  const { name, at, role } = configured;
  return { name, at, ...(role === undefined ? {} : { role }) };
}

function inferredDriver(configured: ConfigAgent | undefined): string | undefined {
  if (configured?.acp) return "acp";
  if (configured?.command) return "command";
  if (configured?.url !== undefined) return "model";
  return configured?.script === undefined ? undefined : "scripted";
}

function judgeDriver(agent: CrewAgent, drivers: readonly string[] | undefined, problem: Tell): void {
  const { driver, command, script, model } = agent;
  const name = oneLine(agent.name, 60);
  const known = (drivers ?? []).join(", ");
  if (driver === "") {
    const hint = `Write below agents: in .coxswain/config.yaml: ${name}: { driver: command, command: ["node", "agent.mjs"] }`;
    problem("DRIVER_MISSING", `the agent ${name} has no driver`, hint);
  } else if (drivers && !drivers.includes(driver)) {
    const near = closestName(driver, drivers);
    const message = `the agent ${name} has the driver ${quote(driver, 60)}, which does not exist`;
    problem("DRIVER_UNKNOWN", message, near ? `Did you mean ${near}?` : `The drivers are: ${known}.`);
  } else if (driver === "command" && !command) {
    const hint = `Write below it in .coxswain/config.yaml: command: ["node", "tools/agent.mjs"]`;
    problem("AGENT_NO_COMMAND", `the agent ${name} has the driver command, but no command`, hint);
  } else if (driver === "acp" && !command) {
    const hint = "Write below it in .coxswain/config.yaml how it is started: command: [gemini, --acp]";
    problem("AGENT_NO_COMMAND", `the agent ${name} has the driver acp, but no command`, hint);
  } else if (driver === "scripted" && script === undefined) {
    const hint = "Write below it in .coxswain/config.yaml: script: crew/agent.yaml";
    problem("AGENT_NO_SCRIPT", `the agent ${name} has the driver scripted, but no script`, hint);
  } else if (driver === "model" && model === undefined) {
    const hint = "Write below it in .coxswain/config.yaml: model: claude-opus-5";
    problem("AGENT_NO_MODEL", `the agent ${name} has the driver model, but no model`, hint);
  }
  judgeWay(agent, problem);
}

function judgeWay({ driver, works, ...agent }: CrewAgent, problem: Tell): void {
  const modes = workModes(driver);
  if (works === undefined || modes.includes(works)) return;
  const message = `the agent ${oneLine(agent.name, 60)} works: ${works}, which the driver ${quote(driver, 60)} cannot do`;
  problem("AGENT_WAY", message, `Write works: ${modes.join(" or works: ")}, or leave it out.`);
}
