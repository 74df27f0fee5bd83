/**
 * The desk of a developer who only proposes, where the system does not hold it back: what it changed there all the same is
 * told and undone, since only its operations count.
 */
import type { Way } from "../driver/driver.ts";
import type { Commit, Desk, TreeId } from "../git/repository.ts";
import type { Turn } from "../kernel/state.ts";
import { known } from "../kernel/tasks.ts";
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import type { Bridge } from "./bridge.ts";

export interface Guarded {
  readonly turn: Turn;
  readonly desk: Desk;
  readonly way: Way;
}

/** Called before the turn; what it answers with is called behind it. */
export async function guardDesk(bridge: Bridge, { turn, desk, way }: Guarded): Promise<() => Promise<void>> {
  const { state, hands } = bridge;
  const base = known(state, turn.task).desk?.base as Commit | undefined;
  if (turn.role !== "developer" || way === "desk" || base === undefined) return async () => {};
  const { repository } = hands;
  const before = (await repository.capture(desk, await repository.treeOf(base))).tree;
  return async () => {
    const { tree, changes } = await repository.capture(desk, before);
    if (tree === before) return;
    bridge.submit({ command: "report", turn: turn.turn, code: "AGENT_WROTE", message: words(changes) });
    const { run, name } = desk;
    await repository.openDesk({ run, name, base, tree: before as TreeId, keep: false });
  };
}

function words(changes: readonly { readonly path: string }[]): string {
  const paths = changes.slice(0, 5).map(({ path }) => oneLine(path, 80));
  const named =
    paths.length === 0 ? "" : ` (${paths.join(", ")}${changes.length > paths.length ? ", …" : ""})`;
  return `it works by proposal and changed ${counted(changes.length, "file")} at its desk itself${named}; that was undone`;
}
