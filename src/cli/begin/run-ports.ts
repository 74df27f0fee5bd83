/** What commands about runs receive besides the command context; composed by `main.ts`. */
import type { RunWorld } from "../../runtime/run-world.ts";
import type { Problem } from "../../std/problem.ts";
import type { EnclosingTurn } from "../../world/processes/enclosing-turn.ts";
import type { Programs } from "../../world/processes/program/programs.ts";

export interface RunPorts {
  /** The folder of our own profiles and templates. */
  readonly packageRoot: string;
  /** The names of all drivers. */
  readonly drivers: readonly string[];
  /** Finds out which agent programs are installed. */
  readonly programs: Programs;
  /** Our own environment, checked for signs that the user is signed in. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that records what this user trusts. */
  readonly trustFolder: string;
  /** The user's name, recorded with each decision. */
  readonly user: string;
  /** The agent's turn that we run inside, if any. A person's decisions cannot be made there. */
  readonly enclosingTurn: EnclosingTurn | undefined;
  /** The words typed after `cox`. */
  readonly typed: readonly string[];
  /** The real path once every link is followed, as git names folders; `undefined` if it leads nowhere. */
  realPath(path: string): string | undefined;
  /** Returns a problem if there is no repository that we can work with, because nothing can run then. */
  openWorld(root: string): Promise<{ readonly world: RunWorld } | { readonly problem: Problem }>;
}

/** For reading and repairing logs. */
export type LogPorts = Pick<RunPorts, "enclosingTurn" | "typed" | "user">;
