/** Shows what a reply will change before it is applied: one line per operation, and in a dry run the full diff. */

import type { Considered } from "../../runtime/acts/consider-reply.ts";
import { type StepRow, stepsText } from "../../view/status/steps.ts";
import { differenceLines, lineCounts } from "../../view/text/difference.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Each line count costs a comparison, and nobody reads a list this long line by line. */
const countedStepsMax = 200;
const fileLinesMax = 1000;
const allLinesMax = 10_000;

export function tellPlan(considered: Considered, terminal: Terminal, dryRun: boolean): void {
  if (terminal.json) return;
  terminal.print(stepsText(stepRows(considered), terminal.paint));
  if (dryRun) tellDifferences(considered, terminal);
}

function stepRows({ compiled }: Considered): StepRow[] {
  return compiled.steps.map(({ operation, path, description, before, after }, at) => ({
    operation,
    path,
    description,
    before: before?.length,
    after: after?.length,
    ...(at < countedStepsMax && { lines: lineCounts({ before, after }) }),
  }));
}

function tellDifferences({ compiled, before, after }: Considered, { print, paint }: Terminal): void {
  let left = allLinesMax;
  for (const { path } of compiled.changes) {
    const difference = { path, before: before(path), after: after(path) };
    const lines = differenceLines(difference, Math.min(fileLinesMax, left), paint);
    print(`\n${lines.join("\n")}\n`);
    left -= lines.length;
    if (left > 0) continue;
    print(paint("dim", "\n… more differences are not shown\n"));
    return;
  }
}
