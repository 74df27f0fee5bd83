/**
 * A stage does not hold what the ledger says: something is missing, changed or replaced. Nothing is guessed and nothing
 * damaged is placed. The error says what is damaged, what was done about it, and what is left to do.
 */
import type { Problem } from "../std/problem.ts";

export class StageDamaged extends Error {
  override name = "StageDamaged";
  readonly code = damageCode;
  readonly problem: Problem;

  constructor(problem: Omit<Problem, "code">) {
    super(problem.message);
    this.problem = { code: damageCode, ...problem };
  }
}

const damageCode = "TXN_BLOB_MISSING";

export function isDamage({ code }: Problem): boolean {
  return code === damageCode;
}

export const changesetsPath = ".coxswain/changesets";

/** Without the manifest, nobody knows which files the changeset is about. */
export function manifestDamaged(id: string, name: string): StageDamaged {
  return new StageDamaged({
    message: `changeset ${id} cannot be finished or undone: its list of files is missing or damaged (${changesetsPath}/${id}/${name})`,
    hint: `Nothing was changed. Put ${name} back from a backup. Without one: compare your files with git, keep a copy of ${changesetsPath}, and move that folder away; cox starts a new one, without history and undo.`,
  });
}

/** Thrown while going forward: what was already placed is removed again. */
export function afterDamaged(id: string, path: string, name: string): StageDamaged {
  return new StageDamaged({
    path,
    message: `changeset ${id} was undone: the new ${path} is missing or damaged in its stage (${changesetsPath}/${id}/${name})`,
    hint: "Make the change again. If files there change by themselves, check the disk.",
  });
}

/** Thrown while a changeset is undone, after everything that can be undone has been. */
export function beforeDamaged(id: string, paths: readonly string[]): StageDamaged {
  const [path = ""] = paths;
  const all = paths.join(", ");
  return new StageDamaged({
    path,
    message: `changeset ${id} cannot be undone completely: its saved copy of ${all} is missing or damaged (${changesetsPath}/${id}/before)`,
    hint: `${all}: still as the changeset left it, everything else as before it. Restore it from git or a backup, or change it to what you want; then run the command again.`,
  });
}

export function undoDamaged(id: string, path: string): StageDamaged {
  return new StageDamaged({
    path,
    message: `changeset ${id} cannot be undone: its saved copy of ${path} is missing or damaged (${changesetsPath}/${id}/before)`,
    hint: `Nothing was changed. Undo it by hand, or restore the file from git: git log -- ${path}`,
  });
}
