/** Finds our own package, which ships profiles and templates beside the program. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "../../std/assert.ts";

export function packageRoot(): string {
  // Compiled files are one folder deeper than their sources.
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    assert(folder !== dirname(folder), "a folder above this file has a package.json");
    folder = dirname(folder);
  }
  return folder;
}

export function packageVersion(): string {
  const text = readFileSync(join(packageRoot(), "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
