/** A copy of the compiled sources with one mistake in it, loaded beside the real ones. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import type { JournalProgram } from "./journal-life.ts";
import type { Mistake } from "./mistakes.ts";
import type { Program } from "./scenario.ts";

export interface Sown {
  readonly program: Program;
  readonly journal: JournalProgram;
  readonly remove: () => void;
}

export async function sow({ file, find, put }: Pick<Mistake, "file" | "find" | "put">): Promise<Sown> {
  const source = readFileSync(join(repository(), "src", file), "utf8");
  const places = source.split(find).length - 1;
  if (places !== 1) throw new Error(`${file} holds ${places} times: ${find}`);
  const script = file.replace(/\.ts$/, ".js");
  const scripts = withImports([changesets, fileJournal]);
  if (!scripts.has(script)) throw new Error(`${file} is no part of what is tried`);
  const folder = mkdtempSync(join(tmpdir(), "cox-mistake-"));
  for (const path of scripts) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    copyFileSync(join(built(), path), join(folder, path));
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, script), compiled(source.replace(find, () => put)));
  const load = (path: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href);
  const { Changesets } = await load(changesets);
  const { FileJournal } = await load(fileJournal);
  return { program: Changesets, journal: FileJournal, remove: () => rmSync(folder, { recursive: true }) };
}

const changesets = "changeset/changesets.js";
const fileJournal = "journal/file-journal.js";

/** These scripts below `dist/src` and all that they load: a twentieth of what is there, and copying is most of the cost. */
function withImports(scripts: readonly string[], found = new Set<string>()): Set<string> {
  for (const script of scripts) {
    if (found.has(script)) continue;
    found.add(script);
    const text = readFileSync(join(built(), script), "utf8");
    const imports = [...text.matchAll(/^(?:import|export) [^;]*?"(\.[^"]+)";$/gm)];
    withImports(
      imports.map(([, path = ""]) => join(dirname(script), path)),
      found,
    );
  }
  return found;
}

function built(): string {
  return join(repository(), "dist/src");
}

export function compiled(source: string): string {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

/** The root of this repository, whether this runs from its sources or compiled. */
export function repository(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return here.includes("/dist/") ? join(here, "../../..") : join(here, "../..");
}
