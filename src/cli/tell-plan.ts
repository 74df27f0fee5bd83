/** Shows what will be done before it is done: one line an operation, and in a dry run the whole difference. */

import type { Considered } from "../runtime/consider-reply.ts";
import { differenceLines, lineCounts } from "../view/difference.ts";
import { type StepRow, stepsText } from "../view/steps.ts";
import type { Terminal } from "./terminal.ts";

/** Line counts cost a comparison each; a plan this long is not read line by line. */
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
    print(paint("dim", "\n… the other differences are left out\n"));
    return;
  }
}
