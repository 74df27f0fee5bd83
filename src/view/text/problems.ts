/** Problems for people, all in one shape: the code and the place, then what is wrong, then what to do. */
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Paint } from "./paint.ts";

/** Nobody reads the two-hundredth; `--json` has them all. */
const problemsMax = 50;
const textMax = 2000;

export type ProblemSeverity = "error" | "warning";

export function problemsText(problems: readonly Problem[], severity: ProblemSeverity, paint: Paint): string {
  const shown = problems.slice(0, problemsMax).map((problem) => problemText(problem, severity, paint));
  const left = problems.length - shown.length;
  if (left > 0) shown.push(`  … and ${left} more (all of them: --json)\n`);
  return shown.join("");
}

export function problemText(problem: Problem, severity: ProblemSeverity, paint: Paint): string {
  const { code, message, hint } = problem;
  const mark =
    severity === "error" ? paint("red", `✗ ${oneLine(code)}`) : paint("yellow", `! ${oneLine(code)}`);
  const place = placeOf(problem);
  return `${mark}${place ? `  ${place}` : ""}\n    ${oneLine(message, textMax)}\n    ${paint("dim", oneLine(hint, textMax))}\n`;
}

/** `file_operations[1], src/a.ts, edits[1].old_string`: written so that the place can be found in the reply. */
function placeOf({ index, path, field }: Problem): string {
  const parts = [
    ...(index === undefined ? [] : [`file_operations[${index}]`]),
    ...(path === undefined ? [] : [oneLine(path)]),
    ...(field === undefined ? [] : [oneLine(field)]),
  ];
  return parts.join(", ");
}

export function refusalText(problems: readonly Problem[], what: string, paint: Paint): string {
  const sum = paint("bold", `${what} refused, nothing was changed (${counted(problems.length, "problem")})`);
  return `${problemsText(problems, "error", paint)}${sum}\n`;
}
