/** Problems that several tools report. */

import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";

/** For a page requested beyond the last one. */
export function beyondEndProblem(from: number, why: string): Problem {
  return {
    code: "PAGE_BEYOND_END",
    message: `no page starts at from ${from}: ${why}`,
    hint: "Give the `next` of the page before, or leave `from` out to start at the beginning.",
    field: "from",
  };
}

/** For tools that take whole documents: says what to use for a section. */
export function sectionInsteadProblem(given: string, how: string): Problem {
  return {
    code: "DOC_NOT_SECTION",
    message: `${quote(given, 200)} names a section; this tool takes a whole document`,
    hint: `Leave out what begins with #, or use section: ${how}.`,
    field: "document",
  };
}

/** Why the tools for the coordinator's list take no document. */
export function sequentialProblem(document: string): Problem {
  return {
    code: "COORDINATOR_SEQUENTIAL",
    message: `Coordinator tasks are sequential. Do not specify #slug; document is ${quote(document, 200)}`,
    hint: "Leave document out. To take a task of a document: start_subagent_task. To change the order of the list, edit /coordinator/active.md with section.",
    field: "document",
  };
}
