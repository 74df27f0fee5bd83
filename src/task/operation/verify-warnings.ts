/** Warns whoever removes or replaces the verify commands of a task, whichever call they use. */

import type { Document } from "../../document/document.ts";
import type { PlanTask } from "../../plan/plan.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";

export function verifyWarnings(
  was: Pick<PlanTask, "verify">,
  is: Pick<PlanTask, "id" | "verify">,
): Problem[] {
  const gone = was.verify.filter((command) => !is.verify.includes(command));
  const [first] = gone;
  if (first === undefined) return [];
  const more = gone.length > 1 ? ` and ${gone.length - 1} more` : "";
  const [now] = is.verify;
  const then =
    now === undefined
      ? "it will be completed as a claim"
      : `its verify command is now ${quote(now, 120)}${is.verify.length > 1 ? ` and ${is.verify.length - 1} more` : ""}`;
  return [
    {
      code: "VERIFY_REMOVED",
      message: `this edit removed the verify command ${quote(first, 120)}${more} of #${oneLine(is.id, 100)}; ${then}`,
      hint: `If you did not mean that, edit it again with content that says - Verify: ${oneLine(first, 120)}`,
    },
  ];
}

/** For all tasks that a document still has after an edit of its text. */
export function lostVerify(before: Document | undefined, after: Document): Problem[] {
  // Most documents have nothing to lose, and reading the tasks of a long one takes time.
  if (!before || !/verify/i.test(before.text)) return [];
  const was = [...before.tasks.facts()].filter(({ verify }) => verify.length > 0);
  return was.flatMap((one) => {
    const is = after.tasks.factsOf(one.id);
    return is ? verifyWarnings(one, is) : [];
  });
}
