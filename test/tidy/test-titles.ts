/** The titles of the tests in a file, as written, for checks that every test named elsewhere still exists. */
import ts from "typescript";
import type { TextFile } from "./rule.ts";
import { parsed, walk } from "./syntax.ts";

/** Parts that are filled in at run time become `…`: in `a ${b}` and in `a %s`. */
export function testTitles(file: TextFile): string[] {
  const titles: string[] = [];
  walk(parsed(file), (node) => {
    const [title, ...others] = ts.isCallExpression(node) ? node.arguments : [];
    const proof = others.at(-1);
    if (title && proof && (ts.isArrowFunction(proof) || ts.isFunctionExpression(proof)))
      titles.push(titleOf(title));
  });
  return titles.filter((title) => title !== "");
}

function titleOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text.replace(/%[a-z]/g, "…");
  if (!ts.isTemplateExpression(node)) return "";
  const { head, templateSpans } = node;
  return [head.text, ...templateSpans.map(({ literal }) => literal.text)].join("…").replace(/%[a-z]/g, "…");
}
