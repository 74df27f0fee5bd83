/**
 * Paths that no reply may touch, even with a confirmation: version control files, our own files, and installed
 * packages. A protected name counts at any depth, in any case, and in the spellings by which NTFS and HFS+ reach the
 * same folder.
 */
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { invisible } from "../../std/unicode.ts";
import { foldPath } from "../path.ts";

export function protectedPath(path: string): Problem | undefined {
  for (const [at, component] of path.split("/").entries()) {
    const why = reasonOf(asFileSystemsSeeIt(component));
    if (!why) continue;
    return {
      code: "PATH_PROTECTED",
      message: `${quote(path)} is protected: component ${at + 1}, ${quote(component, 40)}, ${why.reason}`,
      hint: why.hint,
      path: oneLine(path),
    };
  }
  return undefined;
}

interface Reason {
  readonly reason: string;
  readonly hint: string;
}

function reasonOf(component: string): Reason | undefined {
  if (/^git~\d+$/.test(component)) return versionControl;
  if (/^coxswa~\d+$/.test(component)) return ours;
  return names.get(component);
}

/** HFS+ ignores invisible characters; NTFS ends a name at a colon and drops trailing dots and spaces. */
function asFileSystemsSeeIt(component: string): string {
  const visible = component.replace(everyInvisible, "");
  return foldPath((visible.split(":", 1)[0] ?? "").replace(/[. ]+$/, ""));
}

const everyInvisible = new RegExp(invisible.source, "gu");

const versionControl: Reason = {
  reason: "belongs to the version control, whose hooks and configuration run programs",
  hint: "Leave it out. For rules about files in the repository there are .gitignore and .gitattributes.",
};
const ours: Reason = {
  reason: "holds Coxswain's own configuration and records",
  hint: "Leave it out. A person can change the configuration there by hand.",
};
const installed: Reason = {
  reason: "holds what a package manager or build tool put there: no review sees it, and it is run",
  hint: "Change the manifest (package.json, pyproject.toml, …) and let the package manager install.",
};

const names: ReadonlyMap<string, Reason> = new Map([
  ...[".git", ".hg", ".svn", ".jj", ".bzr", "_darcs", ".sl"].map((name) => [name, versionControl] as const),
  [".coxswain", ours],
  ...[
    ...["node_modules", "bower_components", "jspm_packages", ".pnpm-store", ".pnpm"],
    ...[".venv", "venv", "site-packages", "__pycache__", "__pypackages__", ".tox", ".nox", ".eggs"],
    ...[".gradle", ".m2", ".terraform", ".dart_tool", "elm-stuff", ".direnv", ".stack-work", ".bloop"],
  ].map((name) => [name, installed] as const),
]);
