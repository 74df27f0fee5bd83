/** Reads the text of a plan from a file or stdin. */
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { size } from "../../std/size.ts";
import type { CommandContext } from "../command-context.ts";
import { readInput } from "../reply/input.ts";

/** Enough for a hundred thousand tasks of half a page each. */
const planBytesMax = 64 * 1024 * 1024;

export type PlanText = { readonly text: string; readonly name: string } | { readonly problem: Problem };

/** `command` is what a person would type, for the hints. */
export async function readPlan({ words, stdin, signal }: CommandContext, command: string): Promise<PlanText> {
  const [name] = words;
  if (name === undefined)
    return { problem: { code: "USAGE", message: "no plan was named", hint: `Type: ${command} PLAN.md` } };
  const about = { what: "plan", hint: `Name a file that contains a plan: ${command} plan.md` } as const;
  const input = await readInput(name, stdin, signal, about);
  if ("problem" in input) return input;
  if (input.bytes.length > planBytesMax) {
    const message = `${oneLine(name)} is larger than ${size(planBytesMax)}`;
    return { problem: { code: "LIMIT_PLAN", path: name, message, hint: "Split it into several plans." } };
  }
  try {
    // The byte order mark stays: offsets and edits are about the text as it is on disk.
    return { name, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(input.bytes) };
  } catch {
    const message = `${oneLine(name)} is not valid UTF-8 text`;
    return { problem: { code: "PLAN_NOT_UTF8", path: name, message, hint: "Save the plan as UTF-8." } };
  }
}
