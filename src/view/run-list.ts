/** `cox status --all`: the runs of a repository, one row each, and in a line those that are open beside the one that is shown. */
import { oneLine } from "../std/printable.ts";
import { groupCounts } from "./groups.ts";
import { commandText, type Line, type Look, lineText } from "./line.ts";
import type { Seen } from "./liveness.ts";
import { isWaitingForPerson, runHeadline } from "./run-headline.ts";
import { isoTime } from "./run-times.ts";
import { padTo, widthOf } from "./width.ts";

export interface ListedRun {
  readonly run: string;
  /** Wall time of its first record. */
  readonly began: number | null;
  /** Nothing where its log cannot be read. */
  readonly seen: Seen | null;
}

export function runListDocument(runs: readonly ListedRun[]) {
  return runs.map(({ run, began, seen }) => {
    const state = seen?.state;
    return {
      run,
      title: state?.run?.title ?? null,
      plan_file: state?.run?.plan_file ?? null,
      status: state ? (isWaitingForPerson(state) ? "waiting" : state.status.name) : null,
      alive: seen?.liveness.isAlive ?? false,
      words: wordsOf(seen),
      began_at: began === null ? null : isoTime(began),
      done: state ? groupCounts(state).done : null,
      total: state?.tasks.size ?? null,
      landed: state ? state.landed.length > 0 : null,
    };
  });
}

export function runListText(runs: readonly ListedRun[], look: Look): string {
  if (runs.length === 0) return "No run was begun here.\n";
  const rows = runListDocument(runs).map(({ run, plan_file, words, began_at, done, total }) => [
    oneLine(run, 60),
    oneLine(plan_file ?? "", 60),
    words,
    began_at === null ? "" : `${began_at.slice(0, 16).replace("T", " ")} UTC`,
    done === null ? "" : `${done} of ${total}`,
  ]);
  const all = [["run", "plan", "stands", "began", "done"], ...rows];
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...all.map((row) => widthOf(row[at] ?? ""))));
  const lines = all.map((row, index): Line => {
    const text = row
      .map((cell, at) => padTo(cell, widths[at] ?? 0))
      .join("  ")
      .trimEnd();
    return index === 0 ? [["dim", text]] : [text];
  });
  return lines.map((line) => `${lineText(line, look)}\n`).join("");
}

/** "also open: r1 (waits for you), r2 (running)", and the command for all. */
export function otherRunsText(others: readonly ListedRun[], look: Look): string {
  if (others.length === 0) return "";
  const named = others.slice(0, 3).map(({ run, seen }) => `${oneLine(run, 60)} (${wordsOf(seen)})`);
  const left = others.length - named.length;
  const more = left > 0 ? ` and ${left} more` : "";
  return `${lineText([["dim", `also open: ${named.join(", ")}${more}`]], look)}\n  ${commandText("cox status --all", look)}\n`;
}

function wordsOf(seen: Seen | null): string {
  return seen ? runHeadline(seen.state, seen.liveness).words : "its log is damaged";
}
