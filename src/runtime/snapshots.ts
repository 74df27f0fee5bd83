/** Half-finished work of a turn, kept as it stands at the desk: so that a long turn leaves a trace, whatever becomes of it. */
import type { Desk, TreeId } from "../git/repository.ts";
import type { Turn } from "../kernel/state.ts";
import { known } from "../kernel/tasks.ts";
import type { Bridge } from "./bridge.ts";

/** Every so often, of developers alone; ends with the call that it answers. */
export function takeSnapshots(bridge: Bridge, turn: Turn, desk: Desk): () => void {
  const { state, hands } = bridge;
  const everyMs = state.run?.settings.checkpoint_interval_ms ?? 0;
  if (turn.role !== "developer" || everyMs <= 0) return () => {};
  let isOver = false;
  let takeBack = () => {};
  const arm = () => {
    takeBack = hands.clock.after(everyMs, () => void take().then(arm, () => {}));
  };
  const take = async () => {
    const base = known(state, turn.task).desk?.tree;
    if (isOver || base === undefined) return;
    const { tree, changes } = await hands.repository.capture(desk, base as TreeId);
    if (isOver) return;
    const text = `${changes.length} files changed so far`;
    bridge.submit({ command: "turn-checkpoint", turn: turn.turn, text, tree });
  };
  arm();
  return () => {
    isOver = true;
    takeBack();
  };
}
