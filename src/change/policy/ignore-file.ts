/**
 * Checks the rules that a change adds to a .gitignore. Some hide more than build output, and reviewers never see hidden
 * files.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";

export function isIgnoreFile(foldedPath: string): boolean {
  return foldedPath === ".gitignore" || foldedPath.endsWith("/.gitignore");
}

export function ignoreFile(before: string, after: string): Omit<Problem, "path"> | undefined {
  const known = new Set(rulesOf(before));
  const added = rulesOf(after).filter((rule) => !known.has(rule) && (hidesAll.test(rule) || ours.test(rule)));
  if (added.length === 0) return undefined;
  const shown = added.slice(0, 5).map((rule) => quote(rule, 60));
  return {
    code: "CONTENT_IGNORE",
    message: `.gitignore gets a rule about everything or about Coxswain's own files: ${shown.join(", ")}`,
    hint: "Check that nothing is hidden that a review should see.",
  };
}

const hidesAll = /^[/*.]+$/;
const ours = /\.coxswain/i;

function rulesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}
