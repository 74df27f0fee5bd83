/** All agent profiles (project's over Claude Code's over the shipped ones) and the developers' contract. */
import { closestName } from "../../std/closest-name.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Files } from "../../world/files/files.ts";
import { MarkdownFolder } from "../../world/folders/markdown-folder.ts";
import type { ConfigProblem } from "../file/config.ts";
import { type Profile, type ProfileFile, type ProfileOrigin, readProfile } from "./profile.ts";

export interface Profiles {
  readonly byName: ReadonlyMap<string, Profile>;
  /** What every developer is given in addition to its own instructions. */
  readonly contract: { readonly path: string; readonly text: string };
}

export interface LoadedProfiles {
  readonly profiles: Profiles;
  readonly problems: readonly ConfigProblem[];
}

/** `packageRoot` is our own package, which has a folder `profiles`. */
export function loadProfiles(
  files: Files,
  { root, packageRoot }: { root: string; packageRoot: string },
): LoadedProfiles {
  const problems: ConfigProblem[] = [];
  const shipped = filesIn(files, { root: packageRoot, folder: "profiles", origin: "shipped" }, problems);
  const claude = filesIn(files, { root, folder: ".claude/agents", origin: "claude" }, problems);
  const project = filesIn(files, { root, folder: ".coxswain/agents", origin: "project" }, problems);
  return mergeProfiles([...shipped, ...claude, ...project], problems);
}

/** Merges files in order; later origins override earlier ones. */
export function mergeProfiles(
  files: readonly ProfileFile[],
  before: readonly ConfigProblem[] = [],
): LoadedProfiles {
  const problems = [...before];
  const byName = new Map<string, Profile>();
  let contract = { path: "", text: "" };
  for (const file of files) {
    if (isContract(file)) {
      contract = { path: file.path, text: file.text };
      continue;
    }
    const { profile, problems: found } = readProfile(file);
    problems.push(...found);
    const other = byName.get(profile.name);
    if (other?.origin === profile.origin) problems.push(sameName(profile, other));
    else byName.set(profile.name, profile);
  }
  return { profiles: { byName, contract }, problems };
}

/** The profile that was probably meant. */
export function nearestProfile(name: string, { byName }: Profiles): string | undefined {
  return closestName(name, [...byName.keys()]);
}

function isContract({ origin, path }: ProfileFile): boolean {
  return origin !== "claude" && /(?:^|\/)contract\.md$/.test(path);
}

function sameName({ name, path }: Profile, other: Profile): ConfigProblem {
  return {
    code: "PROFILE_DUPLICATE",
    severity: "warning",
    path: oneLine(path),
    line: 1,
    column: 1,
    length: 1,
    message: `${oneLine(other.path)} has the name ${quote(name, 60)} already; this file is not read`,
    hint: "Give one of them another name in its front matter.",
  };
}

interface Place {
  readonly root: string;
  readonly folder: string;
  readonly origin: ProfileOrigin;
}

/** A link or folder in place of a profile is reported; the other files are still read. */
function filesIn(files: Files, { root, folder, origin }: Place, problems: ConfigProblem[]): ProfileFile[] {
  const found = new MarkdownFolder(files, { root, folder }).look();
  problems.push(...found.problems.map((problem) => notRead(problem, folder)));
  return found.files.map(({ path, text }) => ({ origin, path, text }));
}

function notRead({ code, path, message }: Problem, folder: string): ConfigProblem {
  return {
    code,
    severity: "warning",
    path: oneLine(path ?? folder),
    line: 1,
    column: 1,
    length: 1,
    message: `no profile is read from it: ${oneLine(message)}`,
    hint: "Put a plain Markdown file there, or remove it.",
  };
}
