/**
 * An effect → something under way. What comes of it is submitted as a command; what the world refuses is submitted too,
 * so nothing an act does can throw through the loop, but for a disk that failed.
 */
import { DiskFailed } from "../durable/guard.ts";
import type { Effect } from "../kernel/effect.ts";
import type { Told } from "../kernel/event.ts";
import { oneLine } from "../std/printable.ts";
import type { Act, Bridge, Cancellation } from "./bridge.ts";
import { collect } from "./collect.ts";
import { advance, mergeTask, revert, seal } from "./integrate.ts";
import { runTurn } from "./turn.ts";
import { verifyTree } from "./verify-tree.ts";

type Doing = Exclude<Effect, { effect: "end-turn" }>;

export function startAct(effect: Doing, bridge: Bridge): Act {
  const cancellation = new Cancelling();
  const ended = perform(effect, bridge, cancellation).catch((error: unknown) =>
    failed(effect, bridge, error),
  );
  return { ended, cancel: () => cancellation.cancel() };
}

function perform(effect: Doing, bridge: Bridge, cancellation: Cancellation): Promise<void> {
  switch (effect.effect) {
    case "turn":
      return runTurn(effect, bridge, cancellation);
    case "collect":
      return collect(effect, bridge);
    case "verify":
      return verifyTree(effect, bridge, cancellation);
    case "merge":
      return mergeTask(effect, bridge);
    case "seal":
      return seal(effect, bridge);
    case "revert":
      return revert(effect, bridge);
    case "advance":
      return advance(effect, bridge);
  }
}

function failed(effect: Doing, bridge: Bridge, error: unknown): void {
  if (!isWorldly(error)) bridge.fail(error);
  else recordTrouble(effect, bridge, toldOf(error));
}

/** Where even that cannot be recorded, the loop ends. */
function recordTrouble(effect: Doing, bridge: Bridge, problem: Told): void {
  if (effect.effect === "turn") {
    const { code, message } = problem;
    bridge.offer({
      command: "turn-ended",
      turn: effect.turn,
      ended: { how: "crashed", code: "DESK_FAILED", message: `${code}: ${message}`, lastLine: "" },
      spent: { ms: 0 },
    });
  }
  const task = taskOf(effect, bridge);
  bridge.offer({ command: "effect-failed", key: effect.key, task, problem });
}

function taskOf(effect: Doing, { state }: Bridge) {
  if ("task" in effect) return effect.task;
  if ("work" in effect && "task" in effect.work) return effect.work.task;
  const [first] = state.tasks.keys();
  return first as NonNullable<typeof first>;
}

/** What a person can do something about; the rest is our own mistake, or a disk that cannot be trusted. */
function isWorldly(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error &&
    !(error instanceof DiskFailed) &&
    "code" in error &&
    typeof error.code === "string"
  );
}

function toldOf(error: Error & { code: string; hint?: unknown }): Told {
  const hint = typeof error.hint === "string" ? { hint: error.hint } : {};
  return { code: error.code, message: oneLine(error.message, 1000), ...hint };
}

class Cancelling implements Cancellation {
  isCancelled = false;
  readonly #calls: (() => void)[] = [];

  onCancel(call: () => void): void {
    if (this.isCancelled) call();
    else this.#calls.push(call);
  }

  cancel(): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    for (const call of this.#calls) call();
  }
}
