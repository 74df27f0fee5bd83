/** The port to a desk's files, for replies that propose operations: all of them are carried out there, or none. */
import type { Confirmation, Rules } from "../change/policy.ts";
import type { Operation } from "../reply/reply.ts";
import type { Problem } from "../std/problem.ts";
import type { TreeDifference } from "../view/tree-difference.ts";

export interface Workbench {
  carryOut(proposal: DeskProposal): Promise<CarriedOut>;
}

export interface DeskProposal {
  readonly folder: string;
  /** Names the reply for good: one that was carried out already is recognised. */
  readonly id: string;
  readonly operations: readonly Operation[];
  readonly rules: Rules;
  readonly about: { readonly summary: string; readonly specialist: string; readonly task: string };
  /** Whether a person has allowed it. */
  isAllowed(confirmation: Confirmation): boolean;
}

export type CarriedOut =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] }
  | {
      readonly kind: "needs-confirmation";
      readonly confirmations: readonly Confirmation[];
      /** All that would be done, for whoever is asked. */
      readonly held: TreeDifference;
    };
