/** What of the files at a desk in memory becomes part of the tree, by the same rules as at a real one. */
import { decodeUtf8 } from "../std/utf8.ts";
import { bytePath } from "../world/byte-path.ts";
import { unfitPath } from "./fitness.ts";
import { strayLink } from "./link-target.ts";
import { linkMode, type MemoryFile, type MemoryFiles, sameFile } from "./memory-objects.ts";
import { nestedRepository, straying, type Unfit } from "./unfit.ts";

export interface Taken {
  readonly files: MemoryFiles;
  readonly ignored: readonly string[];
  readonly unfit: readonly Unfit[];
}

/** Where something is unfit, what was there before stays. */
export function memoryCapture(desk: MemoryFiles, before: MemoryFiles): Taken {
  const files = new Map<string, MemoryFile>();
  const ignored: string[] = [];
  const unfit: Unfit[] = [];
  const isIgnored = ignoreRules(decodeUtf8(desk.get(".gitignore")?.bytes ?? new Uint8Array()));
  const nested = new Set([...desk.keys()].flatMap((path) => /^(.+)\/\.git(?:\/|$)/.exec(path)?.[1] ?? []));
  for (const folder of nested) unfit.push(nestedRepository(bytePath(folder)));

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

function wrongWith(path: string, file: MemoryFile): Unfit | undefined {
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
