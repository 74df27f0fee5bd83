/** `cox why` as a person reads it: the answer, what stands behind it, what to type. */
import { oneLine } from "../std/printable.ts";
import { commandText, type Look, lineText } from "./line.ts";
import type { Why } from "./why.ts";
import { padTo, widthOf, wrapped } from "./width.ts";

export function whyText({ task, title, status, answer, facts, next }: Why, look: Look): string {
  const width = Math.max(1, look.columns - 4);
  const commandWidth = Math.max(0, ...next.map(({ command }) => widthOf(command)));
  const lines = [
    lineText([["bold", oneLine(task, 80)], `  ${oneLine(title, 200)}`, ["dim", `  ${status}`]], look),
    ...wrapped(answer, { width, lines: 8 }).map((line) => lineText(["  ", line], look)),
    ...facts.flatMap((fact) =>
      wrapped(fact, { width: Math.max(1, width - 2), lines: 4 }).map((line, at) =>
        lineText([at === 0 ? "  · " : "    ", line], look),
      ),
    ),
    ...next.map(({ command, does }) => {
      const padded = commandText(padTo(oneLine(command, 400), commandWidth), look);
      return `  ${padded}  ${does}`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}
