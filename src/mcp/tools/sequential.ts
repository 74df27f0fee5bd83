/** Why the tools for the coordinator's list take no document. */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";

export function sequential(document: string): Problem {
  return {
    code: "COORDINATOR_SEQUENTIAL",
    message: `Coordinator tasks are sequential. Do not specify #slug; document is ${quote(document, 200)}`,
    hint: "Leave document out. To take a task of a document: start_subagent_task. To change the order of the list, edit /coordinator/active.md with section.",
    field: "document",
  };
}
