/** Deleting a file needs a person's consent, unless the task declared it or the policy says otherwise. */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { size } from "../../std/size.ts";
import { anyGlob } from "../glob.ts";

export interface DeleteRules {
  readonly deletes: "ask" | "declared" | "always-allow" | "never";
  /** Globs of the files that the task declared it would delete. */
  readonly declaredDeletes?: readonly string[];
}

export type DeleteAnswer =
  | { readonly answer: "allowed" }
  | { readonly answer: "refused" | "needs-person"; readonly problem: Omit<Problem, "path"> };

export function deleteChecker(rules: DeleteRules): (path: string, bytes: number) => DeleteAnswer {
  const isDeclared = anyGlob(rules.declaredDeletes ?? []);
  return (path, bytes) => {
    if (rules.deletes === "always-allow") return { answer: "allowed" };
    if (rules.deletes === "declared" && isDeclared(path)) return { answer: "allowed" };
    if (rules.deletes === "never") {
      const message = `${quote(path)} would be deleted, but the policy forbids deletes`;
      const hint = "Leave the file, or have the policy `confirm_deletes` changed.";
      return { answer: "refused", problem: { code: "DELETE_NEVER", message, hint } };
    }
    const message = `${quote(path)} (${size(bytes)}) would be deleted`;
    const hint = "A person is asked; a delete that the task declares beforehand needs no asking.";
    return { answer: "needs-person", problem: { code: "CONFIRM_DELETE", message, hint } };
  };
}
