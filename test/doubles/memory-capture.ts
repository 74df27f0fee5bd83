/** Captures a desk in memory as a tree, by the same rules as a real desk. */

import { unfitPath } from "../../src/git/desk/fitness.ts";
import { straying, type UnfitFile, unfitNestedRepository } from "../../src/git/desk/unfit.ts";
import { strayLink } from "../../src/git/link-target.ts";
import { decodeUtf8 } from "../../src/std/utf8.ts";
import { bytePath } from "../../src/world/files/byte-path.ts";
import { linkMode, type MemoryBlob, type MemoryFiles, sameFile } from "./memory-objects.ts";

export interface MemoryCapture {
  readonly files: MemoryFiles;
  readonly ignored: readonly string[];
  readonly unfit: readonly UnfitFile[];
}

/** Where a file is unfit, the earlier one is kept. */
export function memoryCapture(desk: MemoryFiles, before: MemoryFiles): MemoryCapture {
  const files = new Map<string, MemoryBlob>();
  const ignored: string[] = [];
  const unfit: UnfitFile[] = [];
  const isIgnored = ignoreRules(decodeUtf8(desk.get(".gitignore")?.bytes ?? new Uint8Array()));
  const nested = new Set([...desk.keys()].flatMap((path) => /^(.+)\/\.git(?:\/|$)/.exec(path)?.[1] ?? []));
  for (const folder of nested) unfit.push(unfitNestedRepository(bytePath(folder)));

  for (const [path, file] of desk) {
    if (path.startsWith(".git/")) continue;
    const old = before.get(path);
    if (sameFile(old, file)) files.set(path, file);
    else if ([...nested].some((folder) => path.startsWith(`${folder}/`))) continue;
    else if (!old && isIgnored(path)) ignored.push(path);
    else {
      const wrong = wrongWith(path, file);
      if (!wrong) files.set(path, file);
      else unfit.push(wrong);
      if (wrong && old) files.set(path, old);
    }
  }
  for (const [path, file] of before) {
    const wrong = desk.has(path) ? undefined : unfitPath(bytePath(path));
    if (!wrong) continue;
    unfit.push(wrong);
    files.set(path, file);
  }
  return { files, ignored: ignored.sort(), unfit };
}

function wrongWith(path: string, file: MemoryBlob): UnfitFile | undefined {
  const at = bytePath(path);
  const how = file.mode === linkMode ? strayLink(at, bytePath(decodeUtf8(file.bytes))) : undefined;
  return how ? straying(at, how) : unfitPath(at);
}

function ignoreRules(text: string): (path: string) => boolean {
  const rules = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return (path) => {
    const components = path.split("/");
    return rules.some((rule) => {
      if (rule.startsWith("*.")) return components.some((component) => component.endsWith(rule.slice(1)));
      if (rule.endsWith("/")) return components.slice(0, -1).includes(rule.slice(0, -1));
      return components.includes(rule);
    });
  };
}
