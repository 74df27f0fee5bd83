/** What commands about runs are handed besides the door; composed by `main.ts`. */
import type { RunWorld } from "../runtime/run-world.ts";
import type { Problem } from "../std/problem.ts";
import type { Programs } from "../world/programs.ts";
import type { TurnAround } from "../world/turn-around.ts";

export interface RunMeans {
  /** Where our own profiles and templates lie. */
  readonly packageRoot: string;
  /** Names of the drivers there are. */
  readonly drivers: readonly string[];
  /** For asking which agent programs are installed. */
  readonly programs: Programs;
  /** Our own, for signs of a sign-in. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where it is remembered what this user trusts. */
  readonly trustFolder: string;
  /** Who decides, for the record. */
  readonly user: string;
  /** The agent's turn that we run inside of: nothing that belongs to a person may be decided there. */
  readonly turnAround: TurnAround | undefined;
  /** The words behind `cox`. */
  readonly typed: readonly string[];
  /** Where a path leads once every link is followed, as git names folders; nothing when it leads nowhere. */
  realPath(path: string): string | undefined;
  /** Nothing can be run where there is no repository that we can work with. */
  openWorld(root: string): Promise<{ readonly world: RunWorld } | { readonly problem: Problem }>;
}

/** For looking at logs, and mending one. */
export type LogMeans = Pick<RunMeans, "turnAround" | "typed" | "user">;
