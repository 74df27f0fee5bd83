import type { Finding, TextFile } from "./rule.ts";

/** A file that a rule is not held against, and why. */
export interface Allowance {
  readonly path: string;
  readonly because: string;
}

/**
 * Allowances that the rule no longer needs: the file is gone, or the rule finds nothing in it. They would
 * hide the next real finding.
 */
export function unneededAllowances(
  rule: (files: readonly TextFile[]) => readonly Finding[],
  files: readonly TextFile[],
  allowed: readonly Allowance[],
): Finding[] {
  const findings = rule(files);
  return allowed
    .filter(({ path }) => !findings.some((finding) => finding.startsWith(path)))
    .map(({ path }) => `${path} needs no allowance any more: remove it`);
}
