/**
 * Before a landing whose tree nobody has seen yet: a merge of the user's branch and the run's, or a tip that did not pass.
 * The plan's verify commands run on exactly that tree, at a desk; the user's checkout is not touched.
 */
import { landingProof } from "../kernel/landing.ts";
import type { Sha } from "../kernel/sha.ts";
import { verifyEffect } from "../kernel/verification.ts";
import { assert } from "../std/assert.ts";
import type { Bridge, Cancellation } from "./bridge.ts";
import type { Coordinator } from "./coordinator.ts";
import { verifyTree } from "./verify-tree.ts";

export interface LandingToVerify {
  readonly tree: Sha;
  /** Where the user's branch is. */
  readonly onto: Sha;
  readonly signal: AbortSignal | undefined;
}

/** Nothing when they pass; else which one does not, with the end of what it printed. */
export async function verifyLanding(
  coordinator: Coordinator,
  { tree, onto, signal }: LandingToVerify,
): Promise<string | undefined> {
  const effect = verifyEffect(coordinator.state, { of: "landing", onto }, tree);
  assert(effect.effect === "verify", "what is to be verified is verified");
  let why = "";
  const bridge: Bridge = {
    state: coordinator.state,
    hands: coordinator.hands,
    submit: (command) => {
      const admitted = coordinator.submit(command);
      for (const one of "refused" in admitted ? [] : admitted)
        if (one.event === "verification_failed") why = one.data.why;
      return admitted;
    },
    offer: (command) => coordinator.offer(command),
    heard: (sign) => coordinator.heard(sign),
    fail: (error) => coordinator.fail(error),
  };
  await verifyTree(effect, bridge, cancellationBy(signal));
  await coordinator.durable();
  signal?.throwIfAborted();
  return landingProof(coordinator.state, tree) === "none" ? why : undefined;
}

function cancellationBy(signal: AbortSignal | undefined): Cancellation {
  return {
    get isCancelled() {
      return signal?.aborted === true;
    },
    onCancel(call) {
      if (signal?.aborted) call();
      else signal?.addEventListener("abort", call, { once: true });
    },
  };
}
