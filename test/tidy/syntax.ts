/** Parses a file with TypeScript, so that a word in a comment or a string is not taken for code. */
import ts from "typescript";
import type { TextFile } from "./rule.ts";

export interface Import {
  /** As it is written: `node:fs`, `../std/assert.ts`, `zod`. */
  readonly from: string;
  readonly line: number;
  /** Removed by compilation: `import type`, `export type`. */
  readonly typeOnly: boolean;
}

/** A cache, because several rules need the same imports. */
const readImports = new WeakMap<TextFile, readonly Import[]>();

/** Static and dynamic imports, re-exports, and `import()` in types. */
export function imports(file: TextFile): readonly Import[] {
  const known = readImports.get(file) ?? importsIn(file);
  readImports.set(file, known);
  return known;
}

function importsIn(file: TextFile): Import[] {
  const found: Import[] = [];
  const source = parsed(file);
  const add = (specifier: ts.Node | undefined, typeOnly: boolean) => {
    if (specifier && ts.isStringLiteralLike(specifier)) {
      found.push({ from: specifier.text, line: lineOf(source, specifier), typeOnly });
    }
  };
  walk(source, (node) => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true);
    }
  });
  return found;
}

/** The names a file exports, values and types. */
export function exportedNames(file: TextFile): string[] {
  const names: string[] = [];
  for (const statement of parsed(file).statements) {
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    ) {
      names.push(...statement.exportClause.elements.map((element) => element.name.text));
    }
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (ts.isVariableStatement(statement)) {
      names.push(...statement.declarationList.declarations.map(({ name }) => name.getText()));
    } else if ("name" in statement && statement.name) {
      names.push((statement.name as ts.Node).getText());
    }
  }
  return names;
}

/** Calls `visit` on every node below `node`, parents first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  ts.forEachChild(node, (child) => {
    visit(child);
    walk(child, visit);
  });
}

export function parsed({ path, text }: TextFile): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
}

export function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

/** The text with everything except its comments blanked out; lines are kept. */
export function commentsOnly(file: TextFile): string {
  const ranges = new Map<number, number>();
  const source = parsed(file);
  const note = (comments: ts.CommentRange[] | undefined) => {
    for (const { pos, end } of comments ?? []) ranges.set(pos, end);
  };
  // Visit tokens too: in `f(/* … */)` the comment belongs to the bracket.
  const visit = (node: ts.Node) => {
    note(ts.getLeadingCommentRanges(file.text, node.getFullStart()));
    note(ts.getTrailingCommentRanges(file.text, node.getEnd()));
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  const kept = new Uint8Array(file.text.length);
  for (const [from, to] of ranges) kept.fill(1, from, to);
  return file.text
    .split("")
    .map((char, at) => (char === "\n" || kept[at] ? char : " "))
    .join("");
}
