/** The port to a desk's files, for replies that propose operations: all of them are carried out there, or none. */
import type { Confirmation, PolicyRules } from "../../change/policy/policy.ts";
import type { OperationRecord } from "../../changeset/proposal.ts";
import type { Operation } from "../../reply/reply.ts";
import type { Problem } from "../../std/problem.ts";
import type { TreeDifference } from "../../view/text/tree-difference.ts";

export interface Workbench {
  carryOut(proposal: DeskProposal): Promise<CarriedOut>;
}

export interface DeskProposal {
  readonly folder: string;
  /** Identifies the reply permanently, so that one already carried out is recognised. */
  readonly id: string;
  readonly operations: readonly Operation[];
  readonly rules: PolicyRules;
  readonly about: { readonly summary: string; readonly specialist: string; readonly task: string };
  /** Whether the change is already allowed. */
  isAllowed(confirmation: Confirmation): boolean;
}

export type CarriedOut =
  | {
      readonly kind: "done";
      /** As read back from disk; empty if it was carried out before a crash and its record is lost. */
      readonly operations: readonly OperationRecord[];
    }
  | {
      readonly kind: "refused";
      readonly problems: readonly Problem[];
      /** The operations that compiled, and (`held`) everything they would have changed. */
      readonly operations: readonly OperationRecord[];
      readonly held: TreeDifference;
    }
  | {
      readonly kind: "needs-confirmation";
      readonly confirmations: readonly Confirmation[];
      readonly operations: readonly OperationRecord[];
      /** Everything that would change, to show to the person who is asked. */
      readonly held: TreeDifference;
    };
