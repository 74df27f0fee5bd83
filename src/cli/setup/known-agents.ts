/** The agents that a configuration names, each with its program: whether it is installed, and what the agent can do. */
import { isAbsolute, resolve } from "node:path";
import { anchorCrew } from "../../config/crew/anchor-crew.ts";
import type { CrewAgent } from "../../config/crew/crew.ts";
import { resolveAgents } from "../../config/crew/crew-agents.ts";
import { loadProfiles } from "../../config/crew/profiles.ts";
import { loadConfig } from "../../config/file/load-config.ts";
import { type Abilities, abilitiesOf } from "../../driver/abilities-of.ts";
import type { AgentSettings } from "../../driver/agent-settings.ts";
import type { Drivers } from "../../driver/drivers.ts";
import type { SignIn } from "../../driver/sign-in.ts";
import type { Files } from "../../world/files/files.ts";
import { isFile } from "../../world/files/is-file.ts";
import { type AgentProgram, type AgentProgramsPorts, agentPrograms, isInPath } from "./agent-programs.ts";

export interface AgentsPorts extends Omit<AgentProgramsPorts, "files"> {
  readonly packageRoot: string;
  readonly drivers: Drivers;
}

export interface KnownAgent {
  readonly agent: CrewAgent;
  /** The description from its profile. */
  readonly description: string;
  /** The program that is started; `undefined` if the agent has none. */
  readonly program: string | undefined;
  /** What the agent still needs before it can work, as text; `undefined` if nothing. */
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

export function knownAgents(files: Files, root: string, ports: AgentsPorts): Known {
  const { drivers, packageRoot } = ports;
  const can = (settings: AgentSettings) => {
    const found = drivers.findFor(settings);
    return found && abilitiesOf(found);
  };
  const programs = agentPrograms({ ...ports, files });
  const { config } = loadConfig(files, { root });
  const { profiles } = loadProfiles(files, { root, packageRoot });
  const { candidates } = resolveAgents({ config, profiles, drivers: drivers.names, planned: [] });
  const { agents } = anchorCrew(files, resolve(root), {
    agents: candidates,
    assignments: new Map(),
    problems: [],
    notes: [],
  });
  const descriptions = new Map<string | undefined, string>(
    [...profiles.byName.values()].map(({ path, description }) => [path, description]),
  );
  const toKnown = (agent: CrewAgent): KnownAgent => {
    const known = programs.find(({ driver }) => driver === agent.driver);
    const [own] = agent.command ?? [];
    const program = own ?? known?.program;
    // A program named by a configuration is looked for but never started: a cloned repository could name any program.
    const version = own === undefined ? known?.version : undefined;
    const { environment } = ports;
    return {
      ...{ agent, program, version },
      description: descriptions.get(agent.profile) ?? "",
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
  readonly environment: AgentsPorts["environment"];
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
