/** The commit messages of a run, made from recorded facts alone, so that the same commit can be made again. */
import type { Task } from "../../kernel/state.ts";
import { oneLine, printableLines } from "../../std/printable.ts";

/** People read the first line in lists of 72 columns. */
const subjectMax = 72;
const bodyLinesMax = 40;

export function commitMessage(
  { facts, work }: Task,
  { run, evidence }: { run: string; evidence: string | undefined },
): string {
  const body = printableLines(work?.summary ?? "", { lines: bodyLinesMax, width: 100 })
    .join("\n")
    .trim();
  const trailers = [
    `Coxswain-Task: ${facts.task}`,
    `Coxswain-Run: ${run}`,
    `Coxswain-Evidence: ${evidence ?? "none"}`,
  ];
  return [subject(facts.title), ...(body === "" ? [] : [body]), trailers.join("\n")]
    .join("\n\n")
    .concat("\n");
}

export function revertMessage({ facts }: Task, { run, commit }: { run: string; commit: string }): string {
  const trailers = [`Coxswain-Task: ${facts.task}`, `Coxswain-Run: ${run}`, `Coxswain-Reverts: ${commit}`];
  return `${subject(`Revert: ${facts.title}`)}\n\n${trailers.join("\n")}\n`;
}

function subject(title: string): string {
  const line = oneLine(title, 1000);
  return line.length <= subjectMax ? line : `${[...line].slice(0, subjectMax - 1).join("")}…`;
}
