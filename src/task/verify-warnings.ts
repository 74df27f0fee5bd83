/** Whoever takes out what proves a task, or writes something else, shall know it: by whatever call they do it. */

import type { Document } from "../document/document.ts";
import type { Task } from "../plan/plan.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";

export function verifyWarnings(was: Pick<Task, "verify">, is: Pick<Task, "id" | "verify">): Problem[] {
  const gone = was.verify.filter((command) => !is.verify.includes(command));
  const [first] = gone;
  if (first === undefined) return [];
  const more = gone.length > 1 ? ` and ${gone.length - 1} more` : "";
  const [now] = is.verify;
  const then =
    now === undefined
      ? "it will be completed as a claim"
      : `it is verified by ${quote(now, 120)}${is.verify.length > 1 ? ` and ${is.verify.length - 1} more` : ""} now`;
  return [
    {
      code: "VERIFY_REMOVED",
      message: `#${oneLine(is.id, 100)} was to be verified by ${quote(first, 120)}${more}, which this edit took out; ${then}`,
      hint: `If that was not meant, edit it again with content that says - Verify: ${oneLine(first, 120)}`,
    },
  ];
}

/** Of all tasks that a document still has, after an edit of its text. */
export function lostVerify(before: Document | undefined, after: Document): Problem[] {
  // Most documents have nothing to lose, and reading the tasks of a long one takes its time.
  if (!before || !/verify/i.test(before.text)) return [];
  const was = [...before.tasks.facts()].filter(({ verify }) => verify.length > 0);
  return was.flatMap((one) => {
    const is = after.tasks.factsOf(one.id);
    return is ? verifyWarnings(one, is) : [];
  });
}
