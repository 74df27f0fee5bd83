/** The agents that a configuration names, each with its program: whether that is there, and what such an agent can do. */
import { isAbsolute, resolve } from "node:path";
import { anchorCrew } from "../config/anchor-crew.ts";
import type { CrewAgent } from "../config/crew.ts";
import { resolveAgents } from "../config/crew-agents.ts";
import { loadConfig } from "../config/load-config.ts";
import { loadProfiles } from "../config/profiles.ts";
import { type Abilities, abilitiesOf } from "../driver/abilities-of.ts";
import type { AgentSettings } from "../driver/driver.ts";
import type { Drivers } from "../driver/drivers.ts";
import type { SignIn } from "../driver/sign-in.ts";
import type { Files } from "../world/files.ts";
import { isFile } from "../world/is-file.ts";
import { type AgentProgram, type AgentProgramsPorts, agentPrograms, isInPath } from "./agent-programs.ts";

export interface AgentsMeans extends Omit<AgentProgramsPorts, "files"> {
  readonly packageRoot: string;
  readonly drivers: Drivers;
}

export interface KnownAgent {
  readonly agent: CrewAgent;
  /** What is started; nothing for an agent that is only played. */
  readonly program: string | undefined;
  /** What is missing before it could work, in words; nothing when all is there. */
  readonly lacks: string | undefined;
  readonly version: string | undefined;
  readonly signedIn: SignIn;
  readonly can: Abilities | undefined;
}

export interface KnownProgram extends AgentProgram {
  readonly can: Abilities | undefined;
}

export interface Known {
  readonly agents: readonly KnownAgent[];
  readonly programs: readonly KnownProgram[];
}

export function knownAgents(files: Files, root: string, means: AgentsMeans): Known {
  const { drivers, packageRoot } = means;
  const can = (settings: AgentSettings) => {
    const found = drivers.findFor(settings);
    return found && abilitiesOf(found);
  };
  const programs = agentPrograms({ ...means, files });
  const { config } = loadConfig(files, { root });
  const { profiles } = loadProfiles(files, { root, packageRoot });
  const { candidates } = resolveAgents({ config, profiles, drivers: drivers.names, planned: [] });
  const { agents } = anchorCrew(files, resolve(root), {
    agents: candidates,
    assignments: new Map(),
    problems: [],
    notes: [],
  });
  const toKnown = (agent: CrewAgent): KnownAgent => {
    const known = programs.find(({ driver }) => driver === agent.driver);
    const [own] = agent.command ?? [];
    const program = own ?? known?.program;
    // A program that a configuration names is looked for and not asked: a clone could name any.
    const version = own === undefined ? known?.version : undefined;
    const { environment } = means;
    return {
      ...{ agent, program, version },
      lacks: version === undefined ? lackOf(agent, { files, root, program, environment }) : undefined,
      signedIn: known?.signedIn ?? { state: "unknown" },
      can: can(agent),
    };
  };
  return {
    agents: [...agents.values()].map(toKnown),
    programs: programs.map((one) => ({ ...one, can: can(one) })),
  };
}

interface Place {
  readonly files: Files;
  readonly root: string;
  readonly program: string | undefined;
  readonly environment: AgentsMeans["environment"];
}

function lackOf(
  { driver, key, script }: CrewAgent,
  { files, root, program, environment }: Place,
): string | undefined {
  if (driver === "model") return key === undefined || environment[key] ? undefined : `${key} is not set`;
  if (program === undefined)
    return script !== undefined && isFile(files, script)
      ? undefined
      : `${script ?? "its script"} is not there`;
  const isThere = program.includes("/")
    ? isFile(files, isAbsolute(program) ? program : resolve(root, program))
    : isInPath(files, { environment, program });
  return isThere ? undefined : `${program} is not there`;
}
