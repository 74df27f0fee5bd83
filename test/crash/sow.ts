/** A copy of the compiled sources with one mistake in it, loaded alongside the real ones. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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

const changesets = "changeset/changesets.js";
const fileJournal = "journal/file-journal.js";
const fileStore = "document-store/file-store.js";

export async function sow(mistake: Place): Promise<Sown> {
  const { load, remove } = sowInto(mistake, [changesets, fileJournal]);
  const { Changesets } = await load(changesets);
  const { FileJournal } = await load(fileJournal);
  return { program: Changesets, journal: FileJournal, remove };
}

export async function sowDocuments(
  mistake: Place,
): Promise<{ readonly documents: DocumentsProgram; readonly remove: () => void }> {
  const { load, remove } = sowInto(mistake, [fileStore]);
  const { FileStore } = await load(fileStore);
  return { documents: FileStore, remove };
}

function sowInto({ file, find, put }: Place, tried: readonly string[]) {
  const source = readFileSync(join(repository(), "src", file), "utf8");
  const places = source.split(find).length - 1;
  if (places !== 1) throw new Error(`${file} holds ${places} times: ${find}`);
  const script = file.replace(/\.ts$/, ".js");
  const scripts = withImports(tried);
  if (!scripts.has(script)) throw new Error(`${file} is no part of what is tried`);
  const folder = mkdtempSync(join(tmpdir(), "cox-mistake-"));
  for (const path of scripts) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    copyFileSync(join(built(), path), join(folder, path));
  }
  symlinkSync(join(repository(), "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, script), compiled(source.replace(find, () => put)));
  return {
    load: (path: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** These scripts below `dist/src` and everything they import: a twentieth of all files, and copying is most of the cost. */
function withImports(scripts: readonly string[], found = new Set<string>()): Set<string> {
  for (const script of scripts) {
    if (found.has(script)) continue;
    found.add(script);
    const text = readFileSync(join(built(), script), "utf8");
    const imports = [...text.matchAll(/^(?:import|export) [^;"]*?from "(\.[^"]+)";$/gm)];
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
