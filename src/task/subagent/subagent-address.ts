/**
 * Reads the address of a document, or of a task in one, for the subagent tools. The coordinator's list is not allowed.
 */

import { type Address, isOutside, readAddress } from "../../document/address.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";

export type SubagentAddress = { readonly address: Address } | { readonly problem: Problem };

export type SubagentTask =
  | { readonly address: Address & { readonly slug: string } }
  | { readonly problem: Problem };

/** The address of a document; the caller decides whether a slug is allowed. */
export function subagentDocument(given: string): SubagentAddress {
  const read = readAddress(given);
  if ("problem" in read) return read;
  const { path } = read.address;
  if (path.startsWith("/coordinator/")) {
    const message = `Use coordinator tools for /coordinator/ namespace: ${quote(given, 200)} is the coordinator's list`;
    const hint = "Call coordinator_task, start_coordinator_task or complete_coordinator_task.";
    return { problem: { code: "COORDINATOR_DOCUMENT", path, message, hint } };
  }
  if (isOutside(path)) {
    const message = `${quote(given, 200)} is archived: its tasks are closed`;
    return {
      problem: { code: "DOC_ARCHIVED", path, message, hint: "Name a document that browse_documents shows." },
    };
  }
  return read;
}

/** The address of a task; the slug is required. */
export function subagentTask(given: string): SubagentTask {
  const read = subagentDocument(given);
  if ("problem" in read) return read;
  const { path, slug } = read.address;
  if (slug !== undefined) return { address: { path, slug } };
  const message = `Subagent tasks require #slug (ad-hoc mode). Use coordinator tools for sequential work. ${quote(given, 200)} names no task`;
  const hint = `Name one: ${quote(`${path}#slug`, 200)}; subagent_task with operation list shows them. For the next task of the coordinator's list: start_coordinator_task.`;
  return { problem: { code: "TASK_NEEDS_SLUG", path, message, hint } };
}
