/**
 * Guards the desk of a developer that works by proposal when there is no sandbox. If the agent changes files there
 * anyway, the changes are reported and undone, because only its operations count.
 */
import type { WorkMode } from "../../driver/work-modes.ts";
import type { Desk } from "../../git/repository.ts";
import { taskOf } from "../../kernel/rules/tasks.ts";
import type { Turn } from "../../kernel/state.ts";
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { ActContext } from "../loop/act-context.ts";

export interface Guarded {
  readonly turn: Turn;
  readonly desk: Desk;
  readonly mode: WorkMode;
}

/** Call it before the turn, and call the returned function after it. */
export async function guardDesk(
  context: ActContext,
  { turn, desk, mode }: Guarded,
): Promise<() => Promise<void>> {
  const { state, ports } = context;
  const base = taskOf(state, turn.task).desk?.base;
  if (turn.role !== "developer" || mode === "desk" || base === undefined) return async () => {};
  const { repository } = ports;
  const before = (await repository.capture(desk, await repository.treeOf(base))).tree;
  return async () => {
    const { tree, changes } = await repository.capture(desk, before);
    if (tree === before) return;
    context.submit({ command: "report", turn: turn.turn, code: "AGENT_WROTE", message: words(changes) });
    const { run, name } = desk;
    await repository.openDesk({ run, name, base, tree: before, keep: false });
  };
}

function words(changes: readonly { readonly path: string }[]): string {
  const paths = changes.slice(0, 5).map(({ path }) => oneLine(path, 80));
  const named =
    paths.length === 0 ? "" : ` (${paths.join(", ")}${changes.length > paths.length ? ", …" : ""})`;
  return `it may only propose, but changed ${counted(changes.length, "file")} at its desk itself${named}; the change was undone`;
}
