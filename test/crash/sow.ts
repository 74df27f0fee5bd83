/** A copy of the compiled sources with one mistake in it, loaded beside the real ones. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  const folder = mkdtempSync(join(tmpdir(), "cox-mistake-"));
  cpSync(join(repository(), "dist/src"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, file.replace(/\.ts$/, ".js")), compiled(source.replace(find, () => put)));
  const load = (path: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href);
  const { Changesets } = await load("changeset/changesets.js");
  const { FileJournal } = await load("journal/file-journal.js");
  return { program: Changesets, journal: FileJournal, remove: () => rmSync(folder, { recursive: true }) };
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
