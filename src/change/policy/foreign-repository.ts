/**
 * Detects changes that touch another repository: one nested inside ours, or one that the change itself would create.
 * Git treats any folder with HEAD, objects and refs as a repository and runs what its configuration names.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Change } from "../change.ts";
import { foldPath } from "../path.ts";

/** Finds the nested repository that the path belongs to. */
export function nestedRepository(
  path: string,
  isRepository: (folder: string) => boolean,
): Omit<Problem, "path"> | undefined {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    const folder = path.slice(0, end);
    if (!isRepository(folder)) continue;
    return {
      code: "PATH_NESTED_REPO",
      message: `${quote(path)} belongs to another repository, ${quote(folder)}: this one will not record the change`,
      hint: "Make the change in that repository, or let a person allow it.",
    };
  }
  return undefined;
}

/** The folders that git would take for a repository after the changes ("" is the root). */
export function plantedRepositories(
  changes: readonly Change[],
  textOf: (change: Change) => string,
): ReadonlySet<string> {
  const parts = new Map<string, Set<string>>();
  const note = (folder: string, part: string) => {
    const seen = parts.get(folder);
    if (seen) seen.add(part);
    else parts.set(folder, new Set([part]));
  };
  for (const change of changes) {
    if (!change.post) continue;
    const components = foldPath(change.path).split("/");
    for (const [at, component] of components.entries()) {
      const isLast = at === components.length - 1;
      if (!isLast && (component === "objects" || component === "refs"))
        note(folderOf(components, at), component);
    }
    const last = components.at(-1);
    // Git needs a HEAD, and the other parts may have come in an earlier reply, so a file that reads like a HEAD is
    // enough.
    if (last === "head")
      note(folderOf(components, -1), looksLikeHead.test(textOf(change)) ? "true head" : "head");
    if (last === "commondir") note(folderOf(components, -1), last);
  }
  const planted = [...parts].filter(
    ([, seen]) => seen.has("true head") || (seen.has("head") && seen.size > 1),
  );
  return new Set(planted.map(([folder]) => folder));
}

/** Whether the path is part of one of those folders, which are in folded form. */
export function plantedRepository(
  path: string,
  planted: ReadonlySet<string>,
): Omit<Problem, "path"> | undefined {
  if (planted.size === 0) return undefined;
  const components = foldPath(path).split("/");
  const at = components.findIndex((_, end) => planted.has(components.slice(0, end).join("/")));
  if (at < 0) return undefined;
  const folder = components.slice(0, at).join("/");
  // Ask only about the parts that make the folder a repository, not about everything below it.
  if (!partOfRepository.test(components[at] ?? "")) return undefined;
  return {
    code: "PATH_BARE_REPO",
    message: `${quote(path)} helps to make ${folder === "" ? "the root" : quote(folder)} a git repository, whose configuration can run programs`,
    hint: "Make test repositories in the test itself, with `git init`; a person is asked.",
  };
}

const looksLikeHead = /^(?:ref:\s*refs\/|[0-9a-f]{40}(?:[0-9a-f]{24})?\s*$)/;
const partOfRepository =
  /^(?:head|config|commondir|objects|refs|hooks|packed-refs|info|index|config\.worktree)$/;

function folderOf(components: readonly string[], at: number): string {
  return components.slice(0, at).join("/");
}
