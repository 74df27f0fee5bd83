/** An edit described only in words: it must be turned into concrete edits before it can be applied. */
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { Compiled } from "./compile.ts";

export function needsEditor({ index, path, instructions }: Compiled["needsEditor"][number]): Problem {
  return {
    code: "OPS_NEEDS_EDITOR",
    index,
    path,
    field: "edit_instructions",
    message: `the edit is given in words only (${quote(instructions)}), and words are not applied`,
    hint: "Give concrete `edits`, each with old_string and new_string.",
  };
}
