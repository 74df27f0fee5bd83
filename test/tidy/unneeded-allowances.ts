import type { Allowance, Finding, Rule, TextFile } from "./rule.ts";

/** Finds allowances for files in which the rule no longer finds anything: they would hide the next real finding. */
export function unneededAllowances(
  rule: Rule,
  files: readonly TextFile[],
  allowed: readonly Allowance[],
): Finding[] {
  if (allowed.length === 0) return [];
  const findings = rule(files);
  return allowed
    .filter(({ path }) => files.some((file) => file.path === path))
    .filter(({ path }) => !findings.some((finding) => finding.startsWith(path)))
    .map(({ path }) => `${path} needs no allowance any more: remove it`);
}
