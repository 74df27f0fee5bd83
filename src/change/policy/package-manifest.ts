/**
 * What a change to package.json means: scripts and programs that will run, and places that code will be fetched from.
 * All other fields are ordinary text.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";

export function isPackageManifest(foldedPath: string): boolean {
  return foldedPath === "package.json" || foldedPath.endsWith("/package.json");
}

export interface ManifestFindings {
  /** Needs a person. */
  readonly sensitive?: Omit<Problem, "path">;
  /** Worth a look: packages that will be requested from the registry. */
  readonly added?: Omit<Problem, "path">;
}

export function packageManifest(before: string, after: string): ManifestFindings {
  const now = parseObject(after);
  // We cannot judge what we cannot read, and a package manager may be more lenient than we are.
  if (!now) return { sensitive: problem(["it cannot be read as a JSON object"]) };
  const was = parseObject(before) ?? {};

  const touched: string[] = [];
  const added: string[] = [];
  for (const field of runs) touched.push(...differences(field, was[field], now[field]));
  for (const field of dependencies) {
    const [old, current] = [entries(was[field]), entries(now[field])];
    for (const [name, wanted] of current) {
      if (same(old.get(name), wanted)) continue;
      if (typeof wanted === "string" && fromRegistry.test(wanted)) {
        if (!old.has(name)) added.push(name);
      } else touched.push(`${field}.${name} is ${show(wanted)}, which is not a version from the registry`);
    }
  }
  return {
    ...(touched.length > 0 ? { sensitive: problem(touched) } : {}),
    ...(added.length > 0 ? { added: addedPackages(added) } : {}),
  };
}

/** Scripts by name; empty when the manifest cannot be read. */
export function manifestScripts(text: string): ReadonlyMap<string, string> {
  const scripts = entries(parseObject(text)?.scripts);
  return new Map(
    [...scripts].map(([name, line]) => [name, typeof line === "string" ? line : JSON.stringify(line)]),
  );
}

/** Fields that decide what is run, or what is fetched in place of something else. */
const runs = [
  ...["scripts", "bin", "directories", "gypfile"],
  ...["overrides", "resolutions", "pnpm", "trustedDependencies", "patchedDependencies", "dependenciesMeta"],
  ...["packageManager", "publishConfig", "devEngines", "installConfig", "volta"],
  ...["husky", "lint-staged", "simple-git-hooks", "gitHooks", "pre-commit", "pre-push"],
];

const dependencies = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** A version range, a tag, or another package of the same workspace; a slash or a colon means another source. */
const fromRegistry = /^(?:workspace:[\w.^~*-]*|[^:/\\]*)$/;

function problem(touched: readonly string[]): Omit<Problem, "path"> {
  const shown = touched.slice(0, 5).join("; ");
  const more = touched.length > 5 ? `; and ${touched.length - 5} more` : "";
  return {
    code: "CONTENT_SENSITIVE",
    message: `package.json changes what is run or fetched: ${shown}${more}`,
    hint: "Leave these fields as they are unless the task is about them; a person is asked.",
  };
}

function addedPackages(names: readonly string[]): Omit<Problem, "path"> {
  const shown = names.slice(0, 10).map((name) => quote(name, 60));
  const more = names.length > 10 ? ` and ${names.length - 10} more` : "";
  return {
    code: "CONTENT_DEPENDENCY",
    message: `package.json asks for ${shown.join(", ")}${more}, which it did not before`,
    hint: "Check that the packages are the ones that are meant: a misspelt name may be somebody else's package.",
  };
}

function differences(field: string, was: unknown, now: unknown): string[] {
  if (same(was, now)) return [];
  if (!isObject(was ?? {}) || !isObject(now ?? {})) return [`${field} becomes ${show(now)}`];
  const [old, current] = [entries(was), entries(now)];
  const found: string[] = [];
  for (const [name, value] of current) {
    if (!old.has(name)) found.push(`${field}.${name} is new: ${show(value)}`);
    else if (!same(old.get(name), value)) found.push(`${field}.${name} becomes ${show(value)}`);
  }
  for (const name of old.keys()) if (!current.has(name)) found.push(`${field}.${name} is removed`);
  return found.map((each) => each.slice(0, 200));
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    // Stringify it once here: a value nested too deep for that would fail later, when it is compared.
    JSON.stringify(value);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function entries(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isObject(value) ? Object.entries(value) : []);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  return quote(typeof value === "string" ? value : JSON.stringify(value), 60);
}
