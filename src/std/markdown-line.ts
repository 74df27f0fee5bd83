/**
 * Foreign words as one line of a Markdown file of ours: they cannot add a line, heading, link, picture, code or markup.
 * Backslashes are escaped too, or one of theirs would undo ours.
 */
import { oneLine } from "./printable.ts";

export function markdownLine(text: string, limit = 500): string {
  return escapeMarkdown(oneLine(text, limit));
}

/** Expects a single printable line. */
export function escapeMarkdown(line: string): string {
  return line.replace(/[\\<[\]`]/g, "\\$&");
}
