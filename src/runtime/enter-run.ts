/**
 * The way into a run for everything that decides something about it: nobody inside a turn, in a repository that we can
 * work with, at the run that was named or the newest, approved here, seen as its log says it. Nothing is written yet, but
 * that a landing which was killed is finished or taken back: until then the user's checkout is neither here nor there.
 */
import type { State } from "../kernel/state.ts";
import type { Problem } from "../std/problem.ts";
import type { Seen } from "../view/liveness.ts";
import { type Asked, insideTurn } from "./agents-decide-nothing.ts";
import { ApprovedHere } from "./approved-here.ts";
import { chooseRun } from "./choose-run.ts";
import { RunLook } from "./look-at-run.ts";
import { openRun } from "./open-run.ts";
import type { RecoveredLanding } from "./recover-landing.ts";
import type { RunFolder } from "./run-folder.ts";
import type { RunWorld } from "./run-world.ts";

export interface Entering extends Asked {
  readonly root: string;
  /** By any beginning of its name; nothing means the newest. */
  readonly run: string | undefined;
  /** Where it is remembered what this user trusts. */
  readonly trustFolder: string;
  openWorld(root: string): Promise<{ readonly world: RunWorld } | { readonly problem: Problem }>;
}

export interface Entered {
  readonly world: RunWorld;
  readonly folder: RunFolder;
  readonly seen: Seen;
  /** For what is recorded from now on. */
  readonly look: RunLook;
  /** A landing that had been interrupted, and was finished or given up on the way in. */
  readonly recovered?: RecoveredLanding;
}

export interface Barred {
  readonly by: "turn" | "repository" | "name";
  readonly problem: Problem;
}

/** `approve` answers with what stops it where the run is not approved, or cannot be. */
export async function enterRun<Stop>(
  entering: Entering,
  approve: (approved: ApprovedHere, state: State) => Promise<Stop | undefined>,
): Promise<{ readonly entered: Entered } | { readonly barred: Barred } | { readonly stopped: Stop }> {
  const decides = insideTurn(entering);
  if (decides) return { barred: { by: "turn", problem: decides } };
  const opened = await entering.openWorld(entering.root);
  if ("problem" in opened) return { barred: { by: "repository", problem: opened.problem } };
  const { world } = opened;
  const { root } = world.repository;
  const chosen = chooseRun(world.files, root, entering.run);
  if ("problem" in chosen) return { barred: { by: "name", problem: chosen.problem } };
  const { folder } = chosen;
  const look = new RunLook(world.files, folder);
  await look.read();
  const seen = look.seen(world.clock.now());
  const approved = new ApprovedHere(world.files, { trustFolder: entering.trustFolder, root }, seen.state);
  const stopped = await approve(approved, seen.state);
  if (stopped !== undefined) return { stopped };
  if (!seen.state.landing || seen.liveness.isAlive) return { entered: { world, folder, seen, look } };
  const open = await openRun(world, folder);
  const { recovered } = open;
  await open.close();
  await look.read();
  const now = look.seen(world.clock.now());
  return { entered: { world, folder, seen: now, look, ...(recovered && { recovered }) } };
}
