/** Everything through which the loop reaches the world. Each is a port with a real adapter and one for the simulation. */
import type { Prices } from "../../config/crew/prices.ts";
import type { AgentSettings } from "../../driver/agent-settings.ts";
import type { Driver, TurnServer } from "../../driver/driver.ts";
import type { WorkMode } from "../../driver/work-modes.ts";
import type { Repository } from "../../git/repository.ts";
import type { TaskId } from "../../plan/plan.ts";
import type { Verifier } from "../../verify/verifier.ts";
import type { TaskBrief } from "../../view/prompt/prompt.ts";
import type { Chance } from "../../world/chance.ts";
import type { RunClock } from "../../world/time/run-clock.ts";
import type { Workbench } from "../acts/workbench.ts";
import type { Archive } from "../folder/archive.ts";
import type { Scratch } from "../folder/scratch.ts";
import type { OutsideWatcher } from "./outside-watcher.ts";

export interface Ports {
  readonly clock: RunClock;
  readonly chance: Chance;
  readonly repository: Repository;
  readonly verifier: Verifier;
  readonly workbench: Workbench;
  readonly archive: Archive;
  readonly scratch: Scratch;
  readonly outsideWatcher: OutsideWatcher;
  readonly crew: CrewPort;
  readonly briefing: PlanBrief;
  /** Paths outside the repository that agents and verify commands must not write to. */
  readonly guarded?: readonly string[];
  /** The user's home folder, for settings that name paths relative to it. */
  readonly home?: string;
  /** The command that starts a turn server; missing if there is none. */
  readonly turnServer?: TurnServer["command"];
}

/** The text of the plan, for the agents that carry it out. */
export interface PlanBrief {
  readonly title: string;
  readonly overview: string;
  /** How we work together; every developer's prompt contains it. */
  readonly contract: string;
  task(id: TaskId): TaskBrief;
}

/** The agents of the run, by their names in the plan. */
export interface CrewPort {
  member(agent: string): CrewMember;
}

export interface CrewMember {
  readonly driver: Driver;
  readonly settings: AgentSettings;
  readonly mode: WorkMode;
  /** From the agent's profile. */
  readonly instructions: string;
  /** The prices of models in the configuration. */
  readonly prices?: Prices;
}
