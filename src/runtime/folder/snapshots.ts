/** Captures the unfinished work at a desk during a turn, so that a long turn leaves a trace, whatever its outcome. */
import type { Desk } from "../../git/repository.ts";
import { taskOf } from "../../kernel/rules/tasks.ts";
import type { Turn } from "../../kernel/state.ts";
import type { ActContext } from "../loop/act-context.ts";

/** At regular intervals, for developers only. Call the returned function to stop. */
export function takeSnapshots(context: ActContext, turn: Turn, desk: Desk): () => void {
  const { state, ports } = context;
  const everyMs = state.run?.settings.checkpoint_interval_ms ?? 0;
  if (turn.role !== "developer" || everyMs <= 0) return () => {};
  let isOver = false;
  let takeBack = () => {};
  const arm = () => {
    takeBack = ports.clock.after(everyMs, () => void take().then(arm, () => {}));
  };
  const take = async () => {
    const base = taskOf(state, turn.task).desk?.tree;
    if (isOver || base === undefined) return;
    const { tree, changes } = await ports.repository.capture(desk, base);
    if (isOver) return;
    const text = `${changes.length} files changed so far`;
    context.submit({ command: "turn-checkpoint", turn: turn.turn, text, tree });
  };
  arm();
  return () => {
    isOver = true;
    takeBack();
  };
}
