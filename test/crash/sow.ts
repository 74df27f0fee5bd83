/** A copy of the compiled sources with one mistake in it, loaded beside the real ones. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import type { DocumentsProgram } from "./documents-life.ts";
import type { JournalProgram } from "./journal-life.ts";
import type { Mistake } from "./mistakes.ts";
import type { Program } from "./scenario.ts";

export interface Sown {
  readonly program: Program;
  readonly journal: JournalProgram;
  readonly remove: () => void;
}

type Place = Pick<Mistake, "file" | "find" | "put">;

export async function sow(mistake: Place): Promise<Sown> {
  const { load, remove } = sowInto(mistake);
  const { Changesets } = await load("changeset/changesets.js");
  const { FileJournal } = await load("journal/file-journal.js");
  return { program: Changesets, journal: FileJournal, remove };
}

export async function sowDocuments(
  mistake: Place,
): Promise<{ readonly documents: DocumentsProgram; readonly remove: () => void }> {
  const { load, remove } = sowInto(mistake);
  const { FileStore } = await load("document/file-store.js");
  return { documents: FileStore, remove };
}

function sowInto({ file, find, put }: Place) {
  const source = readFileSync(join(repository(), "src", file), "utf8");
  const places = source.split(find).length - 1;
  if (places !== 1) throw new Error(`${file} holds ${places} times: ${find}`);
  const folder = mkdtempSync(join(tmpdir(), "cox-mistake-"));
  cpSync(join(repository(), "dist/src"), folder, { recursive: true });
  symlinkSync(join(repository(), "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, file.replace(/\.ts$/, ".js")), compiled(source.replace(find, () => put)));
  return {
    load: (path: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href),
    remove: () => rmSync(folder, { recursive: true }),
  };
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
