/**
 * The way into a run for every command that decides something about it: nobody inside a turn, in a repository that we can
 * work with, at the run that was named or the newest, approved here, seen as its log says it. Nothing is written yet, but
 * that a landing which was killed is finished or taken back: until then the user's checkout is neither here nor there.
 */
import { RunLook } from "../runtime/look-at-run.ts";
import { openRun } from "../runtime/open-run.ts";
import type { RunFolder } from "../runtime/run-folder.ts";
import type { RunWorld } from "../runtime/run-world.ts";
import type { Seen } from "../view/liveness.ts";
import { insideTurn } from "./agents-decide-nothing.ts";
import { approvedRun } from "./approved-run.ts";
import { chooseRun } from "./choose-run.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { RunMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";

export interface Entered {
  readonly world: RunWorld;
  readonly folder: RunFolder;
  readonly seen: Seen;
  /** For what is recorded from now on. */
  readonly look: RunLook;
}

export type Entry = { readonly entered: Entered } | { readonly left: ExitCode };

export async function enterRun(
  door: Door,
  means: RunMeans,
  { command, run }: { readonly command: string; readonly run?: string | undefined },
): Promise<Entry> {
  const refusal = insideTurn(means);
  if (refusal) return { left: tellProblems(door, command, [refusal], exit.refused) };
  const opened = await means.openWorld(door.values.one("root") ?? ".");
  if ("problem" in opened) return { left: tellProblems(door, command, [opened.problem], exit.notReady) };
  const { world } = opened;
  const chosen = chooseRun(world.files, world.repository.root, run);
  if ("problem" in chosen) return { left: tellProblems(door, command, [chosen.problem], exit.usage) };
  const look = new RunLook(world.files, chosen.folder);
  await look.read();
  const { root } = world.repository;
  const seen = look.seen(world.clock.now());
  const yes = await approvedRun(door, means, { root, state: seen.state, mayAsk: command === "resume" });
  if (!yes.isGiven) return { left: tellProblems(door, command, [yes.problem], yes.exit) };
  if (!seen.state.landing || seen.liveness.isAlive)
    return { entered: { world, folder: chosen.folder, seen, look } };
  await (await openRun(world, chosen.folder)).close();
  await look.read();
  return { entered: { world, folder: chosen.folder, seen: look.seen(world.clock.now()), look } };
}
