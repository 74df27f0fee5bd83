/**
 * `cox status --all`: the runs of a repository, one row each; and one line for runs that are open besides the one shown.
 */
import { oneLine } from "../../std/printable.ts";
import { isoTime } from "../run-times.ts";
import { runTitle } from "../run-title.ts";
import { commandText, type Display, lineText } from "../text/line.ts";
import { type Row, tableLines } from "../text/table.ts";
import { groupCounts } from "./groups.ts";
import type { RunSnapshot } from "./liveness.ts";
import { isWaitingForPerson, runHeadline } from "./run-headline.ts";

export interface ListedRun {
  readonly run: string;
  /** Wall-clock time of its first record. */
  readonly began: number | null;
  /** Null if its log cannot be read. */
  readonly seen: RunSnapshot | null;
}

export function runListDocument(runs: readonly ListedRun[]) {
  return runs.map(({ run, began, seen }) => {
    const state = seen?.state;
    return {
      run,
      title: state?.run ? runTitle(state.run) : null,
      plan_file: state?.run?.plan_file ?? null,
      status: state ? (isWaitingForPerson(state) ? "waiting" : state.status.name) : null,
      alive: seen?.liveness.isAlive ?? false,
      words: wordsOf(seen),
      began_at: began === null ? null : isoTime(began),
      done: state ? groupCounts(state).done : null,
      needs_you: state ? groupCounts(state).needs_you : null,
      total: state?.tasks.size ?? null,
      landed: state ? state.landed.length > 0 : null,
    };
  });
}

export function runListText(runs: readonly ListedRun[], look: Display): string {
  if (runs.length === 0) return "No run was started here.\n";
  const rows = runListDocument(runs).map(
    ({ run, plan_file, words, began_at, done, total, needs_you }): Row => [
      oneLine(run, 200),
      oneLine(plan_file ?? "", 200),
      words,
      began_at === null ? "" : `${began_at.slice(0, 16).replace("T", " ")} UTC`,
      done === null ? "" : `${done} of ${total}`,
      needs_you ? String(needs_you) : "",
    ],
  );
  const titles = ["run", "plan", "stands", "began", "done", "for you"].map(
    (title) => ["dim", title] as const,
  );
  const lines = tableLines([titles, ...rows], look.columns);
  return lines.map((line) => `${lineText(line, look)}\n`).join("");
}

/** "also open: r1 (waiting for you), r2 (running)", and the command for all. */
export function otherRunsText(others: readonly ListedRun[], look: Display): string {
  if (others.length === 0) return "";
  const named = others.slice(0, 3).map(({ run, seen }) => `${oneLine(run, 60)} (${wordsOf(seen)})`);
  const left = others.length - named.length;
  const more = left > 0 ? ` and ${left} more` : "";
  return `${lineText([["dim", `also open: ${named.join(", ")}${more}`]], look)}\n  ${commandText("cox status --all", look)}\n`;
}

function wordsOf(seen: RunSnapshot | null): string {
  return seen ? runHeadline(seen).words : "its log is damaged";
}
