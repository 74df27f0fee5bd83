/** The problem for a page requested beyond the last one. */
import type { Problem } from "../../std/problem.ts";

export function beyondEnd(from: number, why: string): Problem {
  return {
    code: "PAGE_BEYOND_END",
    message: `nothing begins at from ${from}: ${why}`,
    hint: "Give the `next` of the page before, or leave `from` out to start at the beginning.",
    field: "from",
  };
}
