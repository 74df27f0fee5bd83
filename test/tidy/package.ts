/** What package.json, package-lock.json and docs/dependencies.md must contain. */
import { type Finding, published, type TextFile } from "./rule.ts";
import { imports } from "./syntax.ts";

/** An address in the lockfile is only where one of us happened to install from. */
export function lockNamesNoAddress(files: readonly TextFile[]): Finding[] {
  const lock = parse(files, "package-lock.json");
  return Object.entries(lock.packages ?? {})
    .filter(([, entry]) => entry.resolved !== undefined)
    .map(
      ([path]) =>
        `package-lock.json: ${path} has "resolved"; .npmrc has omit-lockfile-registry-resolved for this`,
    );
}

export function versionsAreExact(files: readonly TextFile[]): Finding[] {
  const { dependencies, devDependencies, overrides } = parse(files, "package.json");
  return Object.entries({ ...dependencies, ...devDependencies, ...overrides })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `package.json: ${name} is "${version}"; pin one version exactly`);
}

/** A row `| name | … |` for each dependency, and none for anything else. */
export function dependenciesAreExplained(files: readonly TextFile[]): Finding[] {
  const { dependencies, devDependencies, overrides } = parse(files, "package.json");
  const names = Object.keys({ ...dependencies, ...devDependencies, ...overrides });
  const page = files.find(({ path }) => path === "docs/dependencies.md")?.text ?? "";
  const rows = [...page.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(([, name = "", rest = ""]) => ({
    name,
    cells: rest.split("|").map((cell) => cell.trim()),
  }));
  return [
    ...names
      .filter((name) => !rows.some((row) => row.name === name))
      .map((name) => `docs/dependencies.md has no row for ${name}`),
    ...rows
      .filter((row) => !names.includes(row.name))
      .map((row) => `docs/dependencies.md explains ${row.name}, which is not in package.json`),
    ...rows
      .filter((row) => row.cells.length !== 3 || row.cells.includes(""))
      .map((row) => `docs/dependencies.md: the row of ${row.name} leaves something empty`),
  ];
}

/**
 * Packages that the sources import are bundled with them: each has a row under "Inside the program", and is installed
 * only where the program is built.
 */
export function packagesInsideAreKnown(files: readonly TextFile[]): Finding[] {
  const page = files.find(({ path }) => path === "docs/dependencies.md")?.text ?? "";
  const inside = page.split(/^## /m).find((part) => part.startsWith("Inside the program\n")) ?? "";
  const rows = [...inside.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = ""]) => name);
  const used = published(files).flatMap((file) =>
    imports(file)
      .filter(({ from }) => !/^(node:|\.)/.test(from))
      .map(({ from, line }) => ({ name: packageOf(from), place: `${file.path}:${line}` })),
  );
  return [
    ...used
      .filter(({ name }) => !rows.includes(name))
      .map(
        ({ name, place }) =>
          `${place} imports ${name}, which docs/dependencies.md has not inside the program`,
      ),
    ...rows
      .filter((row) => !used.some(({ name }) => name === row))
      .map((row) => `docs/dependencies.md has ${row} inside the program, but no source imports it`),
    ...Object.keys(parse(files, "package.json").dependencies ?? {}).map(
      (name) => `package.json: ${name} is in the bundle already; move it to devDependencies`,
    ),
  ];
}

/** `@a/b/c` belongs to the package `@a/b`. */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly overrides?: Record<string, string>;
  readonly packages?: Record<string, { readonly resolved?: string }>;
}

function parse(files: readonly TextFile[], path: string): Manifest {
  return JSON.parse(files.find((file) => file.path === path)?.text ?? "{}");
}
