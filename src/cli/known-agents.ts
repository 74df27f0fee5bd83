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
  readonly installed: boolean;
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
    const isKnown = own === undefined && known !== undefined;
    const there = isKnown ? known.version !== undefined : isThere({ files, root, agent, own, means });
    return {
      ...{ agent, program, installed: there, version: isKnown ? known.version : undefined },
      signedIn: known?.signedIn ?? { state: "unknown" },
      can: can(agent),
    };
  };
  return {
    agents: [...agents.values()].map(toKnown),
    programs: programs.map((one) => ({ ...one, can: can(one) })),
  };
}

interface Wanted {
  readonly files: Files;
  readonly root: string;
  readonly agent: CrewAgent;
  readonly own: string | undefined;
  readonly means: AgentsMeans;
}

function isThere({ files, root, agent, own, means }: Wanted): boolean {
  if (own === undefined) return agent.script !== undefined && isFile(files, agent.script);
  if (own.includes("/")) return isFile(files, isAbsolute(own) ? own : resolve(root, own));
  return isInPath(files, { ...means, program: own });
}
