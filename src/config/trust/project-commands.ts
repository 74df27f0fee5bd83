/** Guesses how a project runs its tests and installs its dependencies, from the files at its root. */

export interface ProjectCommands {
  readonly verify?: Guess;
  readonly setup?: Guess;
}

export interface Guess {
  readonly command: string;
  /** The file that the guess is based on. */
  readonly from: string;
}

/** Files at the root by name, with their texts. */
export type ProjectFiles = ReadonlyMap<string, string>;

/** The file names that are considered. */
export const tellingFiles: readonly string[] = [
  ...["package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock"],
  ...["bun.lock", "bun.lockb", "Cargo.toml", "go.mod", "pyproject.toml", "pytest.ini", "tox.ini"],
  ...["setup.cfg", "conftest.py", "uv.lock", "poetry.lock", "Makefile", "makefile", "GNUmakefile"],
];

export function findProjectCommands(seen: ProjectFiles): ProjectCommands {
  const verify = [nodeTest, cargoTest, goTest, pythonTest, makeTest]
    .map((look) => look(seen))
    .find((guess) => guess !== undefined);
  const setup = nodeSetup(seen) ?? pythonSetup(seen);
  return { ...(verify ? { verify } : {}), ...(setup ? { setup } : {}) };
}

type Manager = "npm" | "pnpm" | "yarn" | "bun";

function nodeTest(seen: ProjectFiles): Guess | undefined {
  const test = manifest(seen)?.scripts?.test;
  // What `npm init` writes if there is no test.
  if (typeof test !== "string" || test.trim() === "" || /no test specified/.test(test)) return undefined;
  const manager = managerOf(seen);
  return { command: manager === "bun" ? "bun run test" : `${manager} test`, from: "package.json" };
}

function nodeSetup(seen: ProjectFiles): Guess | undefined {
  const found = manifest(seen);
  if (!found) return undefined;
  const lock = locks.find(([name]) => seen.has(name))?.[0];
  const needs = { ...found.dependencies, ...found.devDependencies };
  if (lock === undefined && Object.keys(needs).length === 0) return undefined;
  const isBerry = /^__metadata:/m.test(seen.get("yarn.lock") ?? "");
  const frozen = {
    npm: "npm ci",
    pnpm: "pnpm install --frozen-lockfile",
    yarn: `yarn install ${isBerry ? "--immutable" : "--frozen-lockfile"}`,
    bun: "bun install --frozen-lockfile",
  };
  const manager = managerOf(seen);
  const isLocked = locks.some(([name, its]) => its === manager && seen.has(name));
  return { command: isLocked ? frozen[manager] : `${manager} install`, from: lock ?? "package.json" };
}

const locks: readonly (readonly [name: string, manager: Manager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
];

function managerOf(seen: ProjectFiles): Manager {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest(seen)?.packageManager ?? ""))?.[1];
  return (named as Manager | undefined) ?? locks.find(([name]) => seen.has(name))?.[1] ?? "npm";
}

interface Manifest {
  readonly scripts?: { readonly test?: unknown };
  readonly packageManager?: unknown;
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

function manifest(seen: ProjectFiles): Manifest | undefined {
  try {
    const found: unknown = JSON.parse(seen.get("package.json") ?? "");
    return typeof found === "object" && found !== null ? found : undefined;
  } catch {
    return undefined;
  }
}

function cargoTest(seen: ProjectFiles): Guess | undefined {
  return seen.has("Cargo.toml") ? { command: "cargo test", from: "Cargo.toml" } : undefined;
}

function goTest(seen: ProjectFiles): Guess | undefined {
  return seen.has("go.mod") ? { command: "go test ./...", from: "go.mod" } : undefined;
}

function pythonTest(seen: ProjectFiles): Guess | undefined {
  const from =
    ["pytest.ini", "conftest.py"].find((name) => seen.has(name)) ??
    ["pyproject.toml", "tox.ini", "setup.cfg"].find((name) => /\bpytest\b/.test(seen.get(name) ?? ""));
  if (from === undefined) return undefined;
  if (seen.has("uv.lock")) return { command: "uv run pytest", from };
  return { command: seen.has("poetry.lock") ? "poetry run pytest" : "pytest", from };
}

function pythonSetup(seen: ProjectFiles): Guess | undefined {
  if (seen.has("uv.lock")) return { command: "uv sync --frozen", from: "uv.lock" };
  return seen.has("poetry.lock") ? { command: "poetry install", from: "poetry.lock" } : undefined;
}

function makeTest(seen: ProjectFiles): Guess | undefined {
  const from = ["GNUmakefile", "makefile", "Makefile"].find((name) =>
    /^(?:[\w.-]+[ \t]+)*test(?:[ \t]+[\w.-]+)*[ \t]*:(?!=)/m.test(seen.get(name) ?? ""),
  );
  return from === undefined ? undefined : { command: "make test", from };
}
