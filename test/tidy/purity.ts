/**
 * The pure folders compute and do nothing else: no Node, no clock, no chance, no waiting. Their results depend only on
 * their inputs, so a test, a simulation and a replay all see the same.
 */
import ts from "typescript";
import { type Finding, folderOf, published, type TextFile } from "./rule.ts";
import { imports, lineOf, parsed, walk } from "./syntax.ts";

const pureFolders = ["std", "plan", "reply", "change", "kernel", "view"];

const impureGlobals = new Set(
  `Promise process performance setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask
   fetch crypto globalThis global console require Worker Atomics`.split(/\s+/),
);

export function isPure(files: readonly TextFile[]): Finding[] {
  return published(files)
    .filter(({ path }) => pureFolders.includes(folderOf(path)))
    .flatMap((file) => [...importsOfNode(file), ...impureCode(file)]);
}

function importsOfNode(file: TextFile): Finding[] {
  return imports(file)
    .filter(({ from }) => from.startsWith("node:"))
    .map(({ from, line }) => `${file.path}:${line} imports ${from}; ${folderOf(file.path)} is pure`);
}

function impureCode(file: TextFile): Finding[] {
  const source = parsed(file);
  const findings: Finding[] = [];
  walk(source, (node) => {
    const what = impurity(node);
    if (what)
      findings.push(`${file.path}:${lineOf(source, node)} uses ${what}; ${folderOf(file.path)} is pure`);
  });
  return findings;
}

function impurity(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return "async";
  if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) return "await";
  if (ts.isPropertyAccessExpression(node)) {
    const name = node.getText();
    if (name === "Date.now" || name === "Math.random") return name;
  }
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length) {
    return "new Date()";
  }
  if (ts.isIdentifier(node) && impureGlobals.has(node.text) && !isNameOfSomethingElse(node)) return node.text;
  return undefined;
}

/** `step.process`, `{ process: 1 }` and `interface X { process: … }` name a property, not the global. */
function isNameOfSomethingElse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent))
    return parent.getChildAt(0) !== node;
  return "name" in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent);
}
