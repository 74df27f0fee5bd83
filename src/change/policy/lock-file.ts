/**
 * Lock files say which code is fetched, from where, and with which hash. Programs write them, so a manual change needs
 * a person. We can read enough of npm's format to let through changes that touch none of this.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";

export function isLockFile(foldedPath: string): boolean {
  return names.has(foldedPath.slice(foldedPath.lastIndexOf("/") + 1));
}

export function lockFile(
  foldedPath: string,
  before: string,
  after: string,
): Omit<Problem, "path"> | undefined {
  if (!isNpm.test(foldedPath)) return problem("it is changed");
  const [was, now] = [packagesIn(before || "{}"), packagesIn(after)];
  if (!was || !now) return problem("it cannot be read");
  const changed = [...new Set([...was.keys(), ...now.keys()])].filter((key) => was.get(key) !== now.get(key));
  if (changed.length === 0) return undefined;
  const shown = changed.slice(0, 5).map((key) => quote(key, 60));
  const more = changed.length > 5 ? ` and ${changed.length - 5} more` : "";
  return problem(`version, source or hash of ${shown.join(", ")}${more} changes`);
}

const isNpm = /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/;

const names: ReadonlySet<string> = new Set([
  ...["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"],
  ...["deno.lock", "cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "pipfile.lock", "pylock.toml"],
  ...["composer.lock", "gemfile.lock", "go.sum", "flake.lock", "gradle.lockfile", "packages.lock.json"],
  ...[
    "pubspec.lock",
    "mix.lock",
    "podfile.lock",
    "package.resolved",
    "cartfile.resolved",
    ".terraform.lock.hcl",
  ],
]);

function problem(what: string): Omit<Problem, "path"> {
  return {
    code: "CONTENT_SENSITIVE",
    message: `a lock file decides what code is fetched: ${what}`,
    hint: "Leave it out and let the package manager write it; a person is asked.",
  };
}

const decisive = [
  "version",
  "resolved",
  "integrity",
  "link",
  "from",
  "bundled",
  "inBundle",
  "hasInstallScript",
];
const depthMax = 64;

/** Each package by its place in the tree, with the fields that decide its code; undefined when unreadable. */
function packagesIn(text: string): Map<string, string> | undefined {
  const found = new Map<string, string>();
  try {
    const lock: unknown = JSON.parse(text);
    if (!isObject(lock)) return undefined;
    for (const [key, entry] of Object.entries(objectAt(lock, "packages"))) {
      // The entry without a name is the project itself; its dependencies are in package.json.
      if (key !== "") found.set(key, pick(entry));
    }
    collect(objectAt(lock, "dependencies"), "", found, 0);
    return found;
  } catch {
    return undefined;
  }
}

/** Reads the nested format of older versions. */
function collect(packages: object, under: string, found: Map<string, string>, depth: number): void {
  if (depth > depthMax) throw new RangeError("a lock file is not nested this deep");
  for (const [name, entry] of Object.entries(packages)) {
    const key = `${under}>${name}`;
    found.set(key, pick(entry));
    if (isObject(entry)) collect(objectAt(entry, "dependencies"), key, found, depth + 1);
  }
}

function pick(entry: unknown): string {
  return isObject(entry) ? JSON.stringify(decisive.map((field) => entry[field])) : JSON.stringify(entry);
}

function objectAt(value: Record<string, unknown>, field: string): object {
  const inner = value[field] ?? {};
  if (!isObject(inner)) throw new TypeError(`${field} of a lock file is an object`);
  return inner;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
