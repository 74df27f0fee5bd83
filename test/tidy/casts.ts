/**
 * Ids and paths of bytes are branded where a text enters: a cast elsewhere claims what nobody checked, and connects what
 * is not the same.
 */
import ts from "typescript";
import type { Allowance, Finding, TextFile } from "./rule.ts";
import { lineOf, parsed, walk } from "./syntax.ts";

const branded: ReadonlySet<string> = new Set(["CommitId", "TreeId", "BytePath"]);

export function idsAreNotCast(files: readonly TextFile[], allowed: readonly Allowance[] = []): Finding[] {
  const excused = new Set(allowed.map(({ path }) => path));
  return files
    .filter(({ path, text }) => isSource(path) && !excused.has(path) && mayCast.test(text))
    .flatMap(castsIn);
}

/** Parsing every file would take seconds. */
const mayCast = /\bas\b[^;]*\b(?:CommitId|TreeId|BytePath)\b/;

function isSource(path: string): boolean {
  return /^(?:src|test|bench)\/.*\.ts$/.test(path);
}

function castsIn(file: TextFile): Finding[] {
  const found: Finding[] = [];
  const source = parsed(file);
  walk(source, (node) => {
    if (!ts.isAsExpression(node)) return;
    for (const name of namesIn(node.type).filter((one) => branded.has(one)))
      found.push(`${file.path}:${lineOf(source, node)}: casts to ${name}: brand it where the text enters`);
  });
  return found;
}

/** Also in `X | undefined` and `X[]`. */
function namesIn(type: ts.TypeNode): string[] {
  const names: string[] = [];
  const note = (node: ts.Node) => {
    if (ts.isTypeReferenceNode(node)) names.push(node.typeName.getText().replace(/^.*\./, ""));
  };
  note(type);
  walk(type, note);
  return names;
}
