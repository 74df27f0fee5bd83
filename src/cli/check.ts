/** `cox check PLAN.md`: what is wrong with a plan, each with its line and a fix, and the plan at a glance. */
import { parsePlan } from "../plan/parse.ts";
import { pictureOf } from "../plan/picture.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { size } from "../std/size.ts";
import { failureDocument } from "../view/document.ts";
import { planCheckDocument, planCheckText } from "../view/plan-check.ts";
import { problemsText } from "../view/problems.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { readInput } from "./input.ts";

export async function check({ words, stdin, signal, terminal }: Door): Promise<ExitCode> {
  const [name] = words;
  const reading = name === undefined ? { problem: unnamed } : await readPlan(name, stdin, signal);
  signal.throwIfAborted();
  if ("problem" in reading) {
    const { problem } = reading;
    if (terminal.json) terminal.print(`${JSON.stringify(failureDocument("check", [problem]))}\n`);
    else terminal.notice(problemsText([problem], "error", terminal.noticePaint));
    return exit.usage;
  }
  const { text } = reading;
  const parsed = parsePlan(text);
  const checked = { ...parsed, text, name: name ?? "", picture: pictureOf(parsed.plan) };
  if (terminal.json) terminal.print(`${JSON.stringify(planCheckDocument(checked))}\n`);
  else terminal.print(planCheckText(checked, terminal.paint));
  return parsed.problems.some(({ severity }) => severity === "blocking") ? exit.refused : exit.done;
}

/** A hundred thousand tasks of half a page each. */
const planBytesMax = 64 * 1024 * 1024;

const unnamed: Problem = {
  code: "USAGE",
  message: "no plan was named",
  hint: "Type: cox check PLAN.md",
};

async function readPlan(
  name: string,
  stdin: Door["stdin"],
  signal: AbortSignal,
): Promise<{ text: string } | { problem: Problem }> {
  const input = await readInput(name, stdin, signal, {
    what: "plan",
    hint: "Name a file that holds a plan: cox check plan.md",
  });
  if ("problem" in input) return input;
  if (input.bytes.length > planBytesMax) {
    const message = `${oneLine(name)} is larger than ${size(planBytesMax)}`;
    return { problem: { code: "LIMIT_PLAN", path: name, message, hint: "Split it into several plans." } };
  }
  try {
    // The byte order mark stays: offsets and edits are about the text as it is on disk.
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(input.bytes) };
  } catch {
    const message = `${oneLine(name)} is not valid UTF-8 text`;
    return { problem: { code: "PLAN_NOT_UTF8", path: name, message, hint: "Save the plan as UTF-8." } };
  }
}
