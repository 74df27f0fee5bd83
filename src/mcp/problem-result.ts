/** Problems as a tool's answer: as text for the model, with what is wrong and what to do; and as data for programs. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { assert } from "../std/assert.ts";
import { counted } from "../std/counted.ts";
import type { Problem } from "../std/problem.ts";

export function problemResult(problems: readonly Problem[]): CallToolResult {
  const [first] = problems;
  assert(first, "a refusal says what is wrong");
  const shown = problems
    .slice(0, shownMax)
    .map(({ code, message, hint }) => `${code}: ${message}\n→ ${hint}`);
  const left = problems.length - shown.length;
  if (left > 0) shown.push(`… and ${counted(left, "more problem")}`);
  return {
    isError: true,
    content: [{ type: "text", text: shown.join("\n") }],
    structuredContent: { error: first, errors: problems },
  };
}

/** The rest is only in the data. */
const shownMax = 10;
