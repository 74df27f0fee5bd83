/** For tools that take whole documents: says what to use for a section. */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";

export function sectionInstead(given: string, how: string): Problem {
  return {
    code: "DOC_NOT_SECTION",
    message: `${quote(given, 200)} names a section; this tool takes a whole document`,
    hint: `Leave out what begins with #, or use section: ${how}.`,
    field: "document",
  };
}
