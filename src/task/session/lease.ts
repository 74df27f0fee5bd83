/**
 * Whether somebody may take a task: it must be ready, and nobody else may have it in progress.
 *
 * The holder is identified by the name that its client reports, ignoring versions, so a restarted session gets its task
 * back. Another client must ask explicitly to take the task over.
 */

import type { Address } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import type { Author } from "../../document/store.ts";
import type { PlanTask } from "../../plan/plan.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { HowTo } from "../how-to.ts";
import { whyWaiting } from "../operation/judge-dependencies.ts";
import { authorNameOf, isSameName, recordOf, stateOf } from "../record/task-record.ts";

export interface LeaseRequest {
  readonly author: Author;
  readonly how: HowTo;
  readonly takeOver?: boolean | undefined;
}

export type Lease =
  /** They already have it; nothing needs to be written. */
  { readonly is: "held" } | { readonly is: "free" } | { readonly is: "refused"; readonly problem: Problem };

export function leaseOf(document: Document, task: PlanTask, { author, how, takeOver }: LeaseRequest): Lease {
  const address = { path: document.path, slug: task.id };
  const state = stateOf(task);
  if (state !== "in_progress") {
    const problem = whyNotReady(document, task, { address, how });
    return problem ? { is: "refused", problem } : { is: "free" };
  }
  const { started } = recordOf(document, task);
  // In progress, but without a holder: whoever asks first gets it.
  if (started?.by === undefined) return { is: "free" };
  if (isSameName(started.by, authorNameOf(author))) return { is: "held" };
  if (takeOver) return { is: "free" };
  return {
    is: "refused",
    problem: {
      code: "LEASE_TAKEN",
      path: document.path,
      message: `${quote(started.by, 80)} has #${oneLine(task.id, 100)} in progress since ${oneLine(started.at, 40)}`,
      hint: `If they have abandoned it, take it over: ${how.toTakeOver(address)}.`,
    },
  };
}

/** Why a task that is not in progress cannot be started; undefined if it can. */
function whyNotReady(
  document: Document,
  task: PlanTask,
  { address, how }: { readonly address: Address; readonly how: HowTo },
): Problem | undefined {
  const state = stateOf(task);
  const name = `#${oneLine(task.id, 100)}`;
  const { path } = address;
  if (state === "completed") {
    const hint = `To do it again, ${how.toEdit(address, "status: pending")}.`;
    return { code: "TASK_COMPLETED", path, message: `${name} is completed already`, hint };
  }
  if (state === "blocked" || state === "failed") {
    const hint = `Remove what ${state === "failed" ? "made it fail" : "blocks it"} and ${how.toEdit(address, "status: pending")}.`;
    const reason = recordOf(document, task).notes.at(-1);
    const why = reason === undefined ? "" : `; its last note says: ${quote(reason, 200)}`;
    return { code: "TASK_BLOCKED", path, message: `${name} has the status ${state}${why}`, hint };
  }
  return whyWaiting(document, task, how);
}
