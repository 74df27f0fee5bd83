/**
 * The entry to a run for every command that decides something about it. It refuses calls from inside a turn, opens the
 * repository, finds the run (the one named or the newest), has it approved here, and reads its log. It writes nothing,
 * with one exception: a killed landing is finished or given up, because until then the user's checkout is half-changed.
 */
import type { State } from "../../kernel/state.ts";
import type { Problem } from "../../std/problem.ts";
import type { RunSnapshot } from "../../view/status/liveness.ts";
import type { RunFolder } from "../folder/run-folder.ts";
import type { RecoveredLanding } from "../landing/recover-landing.ts";
import { RunLook } from "../look-at-run.ts";
import type { RunWorld } from "../run-world.ts";
import { ApprovedHere } from "./approved-here.ts";
import { chooseRun } from "./choose-run.ts";
import { type CallerContext, insideTurn } from "./inside-turn.ts";
import { openRun } from "./open-run.ts";

export interface EnterRunOptions extends CallerContext {
  readonly root: string;
  /** Any prefix of its name; undefined means the newest. */
  readonly run: string | undefined;
  /** The folder that stores what this user trusts. */
  readonly trustFolder: string;
  openWorld(root: string): Promise<{ readonly world: RunWorld } | { readonly problem: Problem }>;
}

export interface Entered {
  readonly world: RunWorld;
  readonly folder: RunFolder;
  readonly seen: RunSnapshot;
  /** Reads what is recorded from now on. */
  readonly look: RunLook;
  /** An interrupted landing that was finished or given up on entry. */
  readonly recovered?: RecoveredLanding;
}

export interface Barred {
  readonly by: "turn" | "repository" | "name";
  readonly problem: Problem;
}

/** `approve` returns why to stop if the run is not approved or cannot be. */
export async function enterRun<Stop>(
  entering: EnterRunOptions,
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
  look.mustBeSound();
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
