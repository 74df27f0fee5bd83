/**
 * Verifies a landing whose tree has no evidence yet: a merge of the user's branch and the run's, or a tip that did not
 * pass. The plan's verify commands run on exactly that tree, at a desk; the user's checkout is not touched.
 */
import { landingProof } from "../../kernel/rules/branch/landing.ts";
import { verifyEffect } from "../../kernel/rules/evidence/verification.ts";
import { assert } from "../../std/assert.ts";
import type { CommitId, TreeId } from "../../std/object-id.ts";
import { verifyTree } from "../acts/verify-tree.ts";
import type { ActContext, Cancellation } from "../loop/act-context.ts";
import type { Coordinator } from "../loop/coordinator.ts";

export interface LandingToVerify {
  readonly tree: TreeId;
  /** The commit of the user's branch. */
  readonly onto: CommitId;
  readonly signal: AbortSignal | undefined;
}

/** Undefined if they pass; otherwise the command that failed and the end of its output. */
export async function verifyLanding(
  coordinator: Coordinator,
  { tree, onto, signal }: LandingToVerify,
): Promise<string | undefined> {
  const effect = verifyEffect(coordinator.state, { of: "landing", onto }, tree);
  assert(effect.effect === "verify", "what is to be verified is verified");
  let why = "";
  const context: ActContext = {
    state: coordinator.state,
    ports: coordinator.ports,
    submit: (command) => {
      const admitted = coordinator.submit(command);
      for (const one of "refused" in admitted ? [] : admitted)
        if (one.event === "verification_failed") why = one.data.why;
      return admitted;
    },
    submitOrFail: (command) => coordinator.submitOrFail(command),
    reportSign: (sign) => coordinator.reportSign(sign),
    fail: (error) => coordinator.fail(error),
  };
  await verifyTree(effect, context, cancellationBy(signal));
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
