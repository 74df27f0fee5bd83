/** `cox stats` of a run, for people: a table of agents, a table of tasks, the total. */
import { counted, grouped } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import { costText } from "../cost/cost.ts";
import { short } from "../cost/spent.ts";
import { named } from "../status/task-words.ts";
import { duration } from "../text/duration.ts";
import { type Display, lineText } from "../text/line.ts";
import { padName, widthOf } from "../text/width.ts";
import { costOfFigures, type RunFigures, type RunStats } from "./run-stats.ts";

/** Nobody reads the two-hundredth; `--json` has them all. */
const tasksMax = 40;

export function runStatsText({ total, agents, tasks, unpriced }: RunStats, look: Display): string {
  const shown = tasks.slice(0, tasksMax);
  const left = tasks.length - shown.length;
  const rows = [
    ["agent", ...titles],
    ...agents.map((sum) => [oneLine(sum.agent, 200), ...cells(sum)]),
    ["task", ...titles],
    ...shown.map((sum) => [`${sum.committed ? "✓" : "·"} ${oneLine(sum.task, 200)}`, ...cells(sum)]),
    ["all", ...cells(total)],
  ];
  const widths = titles.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at + 1] ?? ""))));
  const numbers = widths.reduce((sum, width) => sum + width + 2, 0);
  const longest = Math.max(...rows.map(([name = ""]) => widthOf(name)));
  const first = Math.max(4, Math.min(longest, look.columns - numbers));
  const lines = rows.map(([name = "", ...rest], at) => {
    const figures = rest.map((cell, column) => `  ${cell.padStart(widths[column] ?? 0)}`).join("");
    const isHead = name === "agent" || name === "task";
    const line = `${padName(name, first)}${figures}`;
    const isSum = at === rows.length - 1;
    return lineText([isHead ? ["dim", line] : isSum ? ["bold", line] : line], look);
  });
  if (left > 0)
    lines.splice(-1, 0, lineText([["dim", `… ${grouped(left)} more tasks (all of them: --json)`]], look));
  return `${[...lines, ...moneyNotes(total, unpriced, look)].join("\n")}\n`;
}

function moneyNotes(total: RunFigures, unpriced: readonly string[], look: Display): string[] {
  const { usd_micros_estimated, turns_of_unknown_cost } = total;
  const notes = [
    ...(turns_of_unknown_cost > 0
      ? [`${counted(turns_of_unknown_cost, "turn")} reported no cost, or not all of it`]
      : []),
    ...(usd_micros_estimated > 0
      ? [
          "~ estimated from list prices, because their agents report no cost (prices: in .coxswain/config.yaml)",
        ]
      : []),
    ...(unpriced.length > 0
      ? [
          `not counted, because their price is unknown: ${named(unpriced, 5)} (prices: in .coxswain/config.yaml)`,
        ]
      : []),
  ];
  return notes.map((note) => lineText([["dim", note]], look));
}

/** What was spent comes first, because a narrow terminal cuts at the end. */
const titles = ["money", "tokens", "time", "turns", "lost", "refused", "failed", "attempts"];

function cells(sum: RunFigures): string[] {
  const counts = [sum.turns, sum.lost_turns, sum.refused_replies, sum.failed_audits, sum.attempts];
  return [costText(costOfFigures(sum)), short(sum.tokens), duration(sum.ms), ...counts.map(grouped)];
}
