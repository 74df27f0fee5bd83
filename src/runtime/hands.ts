/** Everything the loop reaches the world through. Each is a port with a real adapter and one for the simulation. */
import type { Prices } from "../config/prices.ts";
import type { AgentSettings, Driver, TurnServer, Way } from "../driver/driver.ts";
import type { Repository } from "../git/repository.ts";
import type { TaskId } from "../plan/plan.ts";
import type { Verifier } from "../verify/verifier.ts";
import type { TaskBrief } from "../view/prompt.ts";
import type { Chance } from "../world/chance.ts";
import type { RunClock } from "../world/run-clock.ts";
import type { Archive } from "./archive.ts";
import type { Lookout } from "./lookout.ts";
import type { Scratch } from "./scratch.ts";
import type { Workbench } from "./workbench.ts";

export interface Hands {
  readonly clock: RunClock;
  readonly chance: Chance;
  readonly repository: Repository;
  readonly verifier: Verifier;
  readonly workbench: Workbench;
  readonly archive: Archive;
  readonly scratch: Scratch;
  readonly lookout: Lookout;
  readonly crew: Crew;
  readonly briefing: Briefing;
  /** What is the user's own outside the repository, and no agent's or verify command's to write. */
  readonly guarded?: readonly string[];
  /** How the server of a turn is started; nothing where there is none. */
  readonly turnServer?: TurnServer["command"];
}

/** What the plan says, for whoever is to do it. */
export interface Briefing {
  readonly title: string;
  readonly overview: string;
  /** What every agent is told of how we work together. */
  readonly contract: string;
  task(id: TaskId): TaskBrief;
}

/** The agents of the run, by the names that the plan uses. */
export interface Crew {
  member(agent: string): CrewMember;
}

export interface CrewMember {
  readonly driver: Driver;
  readonly settings: AgentSettings;
  readonly way: Way;
  /** From its profile. */
  readonly instructions: string;
  /** What the configuration says of models. */
  readonly prices?: Prices;
}
