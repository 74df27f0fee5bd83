/** Finds an unresolved git merge in a document. Until somebody resolves it, nobody can say which of its tasks count. */
import { scanLines } from "../../plan/read/lines.ts";

/** The start of the first `<<<<<<<` line that has its `>>>>>>>`; lines shown as code do not count. */
export function mergeConflict(text: string): number | undefined {
  if (!text.includes(conflictMark)) return undefined;
  const marks = scanLines(text)
    .lines.filter(({ kind }) => kind !== "opaque")
    .map(({ start, end }) => ({ start, words: text.slice(start, end) }));
  const opened = marks.findIndex(({ words }) => /^<{7}(?: |$)/.test(words));
  const isClosed = marks.slice(opened + 1).some(({ words }) => /^>{7}(?: |$)/.test(words));
  return opened !== -1 && isClosed ? marks[opened]?.start : undefined;
}

export const conflictMark = "<<<<<<<";
