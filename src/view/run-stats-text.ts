/** `cox stats` of a run as a person reads it: a table of agents, a table of tasks, the sum. */
import { grouped } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import { duration } from "./duration.ts";
import { type Look, lineText } from "./line.ts";
import type { Figures, RunStats } from "./run-stats.ts";
import { money, short } from "./spent.ts";
import { named } from "./task-words.ts";
import { padTo, widthOf } from "./width.ts";

/** Nobody reads the two-hundredth; `--json` has them all. */
const tasksMax = 40;

export function runStatsText({ total, agents, tasks, unpriced }: RunStats, look: Look): string {
  const shown = tasks.slice(0, tasksMax);
  const left = tasks.length - shown.length;
  const rows = [
    ["agent", ...titles],
    ...agents.map((sum) => [oneLine(sum.agent, 60), ...cells(sum)]),
    ["task", ...titles],
    ...shown.map((sum) => [`${sum.committed ? "✓" : "·"} ${oneLine(sum.task, 80)}`, ...cells(sum)]),
    ["all", ...cells(total)],
  ];
  const widths = titles.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at + 1] ?? ""))));
  const numbers = widths.reduce((sum, width) => sum + width + 2, 0);
  const longest = Math.max(...rows.map(([name = ""]) => widthOf(name)));
  const first = Math.max(4, Math.min(longest, look.columns - numbers));
  const lines = rows.map(([name = "", ...rest], at) => {
    const figures = rest.map((cell, column) => `  ${cell.padStart(widths[column] ?? 0)}`).join("");
    const isHead = name === "agent" || name === "task";
    const line = `${padTo(name, first)}${figures}`;
    const isSum = at === rows.length - 1;
    return lineText([isHead ? ["dim", line] : isSum ? ["bold", line] : line], look);
  });
  if (left > 0)
    lines.splice(-1, 0, lineText([["dim", `… ${grouped(left)} more tasks (all of them: --json)`]], look));
  return `${[...lines, ...moneyNotes(total, unpriced, look)].join("\n")}\n`;
}

function moneyNotes({ usd_micros_estimated }: Figures, unpriced: readonly string[], look: Look): string[] {
  const notes = [
    ...(usd_micros_estimated > 0
      ? [
          "~ reckoned from a table of list prices: their agents tell no cost (prices: in .coxswain/config.yaml)",
        ]
      : []),
    ...(unpriced.length > 0
      ? [
          `not counted, because nobody says what they cost: ${named(unpriced, 5)} (prices: in .coxswain/config.yaml)`,
        ]
      : []),
  ];
  return notes.map((note) => lineText([["dim", note]], look));
}

/** What is spent stands first: a narrow terminal cuts at the end. */
const titles = ["money", "tokens", "time", "turns", "lost", "refused", "failed", "attempts"];

function cells(sum: Figures): string[] {
  const counts = [sum.turns, sum.lost_turns, sum.refused_replies, sum.failed_audits, sum.attempts];
  return [
    money(sum.usd_micros, sum.usd_micros_estimated > 0),
    short(sum.tokens),
    duration(sum.ms),
    ...counts.map(grouped),
  ];
}
