/**
 * What package managers keep in a home folder. With layers, they can use it and it stays as it was. Without layers,
 * their caches must be really writable, or they would not work at all.
 */
import { join } from "node:path";

export function packageCaches(home: string): string[] {
  return inHome(home, caches);
}

/**
 * Folders of package managers that keep settings beside their caches. They get a copy of the folder (`copied`). What
 * they would obey the next time is shown as it is (`obeyed`).
 */
export function packageHomes(home: string): { readonly copied: string[]; readonly obeyed: string[] } {
  return {
    copied: inHome(home, [".gradle", ".yarn"]),
    obeyed: inHome(home, [".gradle/init.d", ".yarn/releases", ".yarn/plugins"]),
  };
}

function inHome(home: string, names: readonly string[]): string[] {
  return home === "" ? [] : names.map((name) => join(home, name));
}

const caches = [
  ...[
    ".npm",
    ".cache/node",
    ".cache/yarn",
    ".yarn/berry",
    ".yarn/cache",
    ".cache/pnpm",
    ".local/share/pnpm",
    ".bun/install/cache",
  ],
  ...[".cargo/registry", ".cargo/git", "go/pkg", ".cache/go-build"],
  ...[".cache/pip", ".cache/uv", ".cache/pypoetry", ".m2/repository", ".nuget/packages"],
  ...[".gradle/caches", ".gradle/wrapper", ".gradle/native", ".gradle/jdks"],
];
