/** Problems as lines for an agent: each with its place and its fix, as many as a model can use. */
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";

/** A model reads all of them, and more would not help. Together with the limit of one problem, this bounds the text. */
const problemsMax = 20;
const messageMax = 300;
const placeMax = 200;

export function problemLines(problems: readonly Problem[]): string[] {
  const lines = problems
    .slice(0, problemsMax)
    .flatMap(({ code, message, hint, ...place }, index) => [
      `${index + 1}. ${oneLine(code, 40)}${placeOf(place)}: ${oneLine(message, messageMax)}`,
      `   ${oneLine(hint, messageMax)}`,
    ]);
  const left = problems.length - problemsMax;
  return left > 0 ? [...lines, `… and ${counted(left, "more problem")}; correct these first.`] : lines;
}

function placeOf({ index, path, field }: Pick<Problem, "index" | "path" | "field">): string {
  const parts = [
    ...(index === undefined ? [] : [`file_operations[${index}]`]),
    ...[path, field].flatMap((part) => (part === undefined ? [] : [oneLine(part, placeMax)])),
  ];
  return parts.length === 0 ? "" : ` at ${parts.join(", ")}`;
}
