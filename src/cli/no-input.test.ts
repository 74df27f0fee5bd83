/**
 * Every command that can ask a person must accept `--no-input`. Checked in the source, so that a new question cannot
 * forget it.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "./table/commands.ts";

const source = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** The files in this folder that a command consists of, found by following imports. */
function filesOf(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  const text = source(`./${entry}`).replace(/^import type [^;]*;$/gm, "");
  for (const [, path = ""] of text.matchAll(/(?:from|import\() ?"(\.[\w./-]+\.ts)"/g)) {
    const imported = join(dirname(entry), path);
    if (!imported.startsWith("..")) filesOf(imported, found);
  }
  return found;
}

/** The file that `main.ts` loads for each command. */
function entries(): Map<string, string> {
  const [, table = ""] = /const loaders[^{]*= \{\n([\s\S]*?)\n\};/.exec(source("../main.ts")) ?? [];
  const rows = table.split(/\n(?= {2}\S+: )/);
  return new Map(
    rows.map((row) => [
      /^ {2}"?([\w-]+)"?:/.exec(row)?.[1] ?? "",
      /import\("\.\/cli\/([\w/-]+\.ts)"\)/.exec(row)?.[1] ?? "",
    ]),
  );
}

const asking = /\bfindPerson\(\)/;

test("every command whose code can ask a person takes --no-input, and no other does", () => {
  const files = entries();
  expect([...files.keys()].sort()).toEqual(commands.map(({ name }) => name).sort());
  const canAsk = commands.filter(({ name }) =>
    [...filesOf(files.get(name) ?? "")].some(
      (file) => file !== "command-context.ts" && asking.test(source(`./${file}`)),
    ),
  );
  const declares = commands.filter(({ options }) => options.some(({ name }) => name === "no-input"));
  expect(declares.map(({ name }) => name)).toEqual(canAsk.map(({ name }) => name));
});
