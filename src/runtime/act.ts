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

export function startAct(effect: Doing, coordinator: Bridge): Act {
  const cancellation = new Cancelling();
  const ended = perform(effect, coordinator, cancellation).catch((error: unknown) =>
    failed(effect, coordinator, error),
  );
  return { ended, cancel: () => cancellation.cancel() };
}

function perform(effect: Doing, coordinator: Bridge, cancellation: Cancellation): Promise<void> {
  switch (effect.effect) {
    case "turn":
      return runTurn(effect, coordinator, cancellation);
    case "collect":
      return collect(effect, coordinator);
    case "verify":
      return verifyTree(effect, coordinator, cancellation);
    case "merge":
      return mergeTask(effect, coordinator);
    case "seal":
      return seal(effect, coordinator);
    case "revert":
      return revert(effect, coordinator);
    case "advance":
      return advance(effect, coordinator);
  }
}

function failed(effect: Doing, coordinator: Bridge, error: unknown): void {
  if (!isWorldly(error)) coordinator.fail(error);
  else recordTrouble(effect, coordinator, toldOf(error));
}

/** Where even that cannot be recorded, the loop ends. */
function recordTrouble(effect: Doing, coordinator: Bridge, problem: Told): void {
  if (effect.effect === "turn") {
    const { code, message } = problem;
    coordinator.offer({
      command: "turn-ended",
      turn: effect.turn,
      ended: { how: "crashed", code: "DESK_FAILED", message: `${code}: ${message}`, lastLine: "" },
      spent: { ms: 0 },
    });
  }
  const task = taskOf(effect, coordinator);
  coordinator.offer({ command: "effect-failed", key: effect.key, task, problem });
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
