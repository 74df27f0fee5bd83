/**
 * Who may import whom: folders follow the table in layers.json; only `src/world` reaches outside the process; and the
 * rest reaches outside only through a port, composed in `src/main.ts`.
 */
import { posix } from "node:path";
import { type Allowance, type Finding, folderOf, published, type TextFile } from "./rule.ts";
import { imports } from "./syntax.ts";

/** For each folder of `src`, the other folders it may import from. */
export type Layers = Readonly<Record<string, readonly string[]>>;

/** Files directly in `src` that may import everything, and that nothing may import. */
const tops = ["main", "compose-runs", "compose-documents", "compose-mcp", "compose-turn-server", "index"];

const outside =
  /^node:(fs|fs\/promises|child_process|net|tls|http|https|http2|dgram|worker_threads|cluster)$/;

export function followsLayers(files: readonly TextFile[], layers: Layers): Finding[] {
  return published(files).flatMap((file) => {
    const folder = folderOf(file.path);
    if (tops.includes(folder)) return [];
    const mayImport = layers[folder];
    if (!mayImport) return [`${file.path} is in src/${folder}, which has no row in layers.json`];
    return ownImports(file)
      .filter(({ target }) => ![folder, ...mayImport].includes(folderOf(target)))
      .map(({ target, line }) => {
        const allowed = mayImport.length > 0 ? mayImport.join(", ") : "no other folder";
        return `${file.path}:${line} imports ${target}; ${folder} may import ${allowed}`;
      });
  });
}

export function onlyWorldReachesOutside(
  files: readonly TextFile[],
  allowed: readonly Allowance[] = [],
): Finding[] {
  return published(files)
    .filter(({ path }) => folderOf(path) !== "world" && !allowed.some((one) => one.path === path))
    .flatMap((file) =>
      imports(file)
        .filter(({ from }) => outside.test(from))
        .map(
          ({ from, line }) =>
            `${file.path}:${line} imports ${from}; only src/world reaches outside the process`,
        ),
    );
}

/** The only file that starts programs. It accepts only absolute paths. */
const spawnFile = "src/world/processes/spawn.ts";

/** A name looked up when a program is started resolves to whatever an agent has put into PATH by then. */
export function onlyOneFileStartsPrograms(
  files: readonly TextFile[],
  allowed: readonly Allowance[] = [],
): Finding[] {
  return published(files)
    .filter(({ path }) => path !== spawnFile && !allowed.some((one) => one.path === path))
    .flatMap((file) =>
      imports(file)
        .filter(({ from, typeOnly }) => !typeOnly && /^(node:)?child_process$/.test(from))
        .map(
          ({ line }) => `${file.path}:${line} starts programs; only ${spawnFile} does, by their whole paths`,
        ),
    );
}

/** A port is a type. A file that imports more than types from a file that reaches outside has chosen the adapter. */
export function onlyMainComposes(files: readonly TextFile[], allowed: readonly Allowance[] = []): Finding[] {
  const adapters = adaptersIn(published(files));
  return published(files)
    .filter(({ path }) => folderOf(path) !== "world" && folderOf(path) !== "main")
    .filter(({ path }) => !allowed.some((one) => one.path === path))
    .flatMap((file) =>
      ownImports(file)
        .filter(({ target, typeOnly }) => !typeOnly && adapters.has(target))
        .map(
          ({ target, line }) => `${file.path}:${line} imports the adapter ${target}; only src/main.ts does`,
        ),
    );
}

/** The files of `src/world` that reach outside, directly or through another file of `src/world`. */
function adaptersIn(files: readonly TextFile[]): ReadonlySet<string> {
  const world = files.filter(({ path }) => folderOf(path) === "world");
  const adapters = new Set(
    world.filter((file) => imports(file).some(({ from }) => outside.test(from))).map(({ path }) => path),
  );
  for (let before = -1; before !== adapters.size; ) {
    before = adapters.size;
    for (const file of world) {
      if (ownImports(file).some(({ target, typeOnly }) => !typeOnly && adapters.has(target))) {
        adapters.add(file.path);
      }
    }
  }
  return adapters;
}

function ownImports(file: TextFile) {
  return imports(file)
    .filter(({ from }) => from.startsWith("."))
    .map((one) => ({ ...one, target: posix.join(posix.dirname(file.path), one.from) }));
}
