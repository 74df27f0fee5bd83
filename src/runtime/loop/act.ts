/**
 * Starts an effect as an act. Its outcome is submitted as a command, and so is a failure of the outside world. No act can
 * throw through the loop; only a failed disk or our own mistake ends it.
 */
import { DiskFailed } from "../../durable/guard.ts";
import type { Effect } from "../../kernel/effect.ts";
import type { Finding } from "../../kernel/event.ts";
import { oneLine } from "../../std/printable.ts";
import { collect } from "../acts/collect.ts";
import { advanceRun, commitIntegration, mergeTask, revert } from "../acts/integrate.ts";
import { runTurn } from "../acts/turn.ts";
import { verifyTree } from "../acts/verify-tree.ts";
import type { Act, ActContext, Cancellation } from "./act-context.ts";

type StartableEffect = Exclude<Effect, { effect: "end-turn" }>;

export function startAct(effect: StartableEffect, context: ActContext): Act {
  const cancellation = new ActCancellation();
  const ended = perform(effect, context, cancellation).catch((error: unknown) =>
    failed(effect, context, error),
  );
  return { ended, cancel: () => cancellation.cancel() };
}

function perform(effect: StartableEffect, context: ActContext, cancellation: Cancellation): Promise<void> {
  switch (effect.effect) {
    case "turn":
      return runTurn(effect, context, cancellation);
    case "collect":
      return collect(effect, context);
    case "verify":
      return verifyTree(effect, context, cancellation);
    case "merge":
      return mergeTask(effect, context);
    case "commit":
      return commitIntegration(effect, context);
    case "revert":
      return revert(effect, context);
    case "advance":
      return advanceRun(effect, context);
  }
}

/** The one place that turns a failed act into a command. If even that cannot be recorded, the loop ends. */
function failed(effect: StartableEffect, context: ActContext, error: unknown): void {
  if (!isWorldly(error)) context.fail(error);
  else context.submitOrFail({ command: "effect-failed", key: effect.key, problem: findingFrom(error) });
}

/** Failures that a person can fix. Any other is our own mistake, or a disk that cannot be trusted. */
function isWorldly(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error &&
    !(error instanceof DiskFailed) &&
    "code" in error &&
    typeof error.code === "string"
  );
}

function findingFrom(error: Error & { code: string; hint?: unknown }): Finding {
  const hint = typeof error.hint === "string" ? { hint: error.hint } : {};
  return { code: error.code, message: oneLine(error.message, 1000), ...hint };
}

class ActCancellation implements Cancellation {
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
