/** The page of what would fool us names tests: each of them must be there, or a trap is held by nobody. */
import ts from "typescript";
import type { Finding, TextFile } from "./rule.ts";
import { parsed, walk } from "./syntax.ts";

const page = "docs/traps.md";

export function trapsHaveTests(files: readonly TextFile[]): Finding[] {
  const text = files.find(({ path }) => path === page)?.text ?? "";
  const titles = new Map<string, readonly string[]>();
  const titlesIn = (path: string) => {
    const file = files.find((one) => one.path === path);
    if (file !== undefined && !titles.has(path)) titles.set(path, testTitles(file));
    return titles.get(path);
  };
  const rows = text.split("\n").filter((line) => /^\| (?!---|what )/.test(line));
  return rows.flatMap((row) => {
    const [trap = "", tests = ""] = row.replace(/^\| | \|$/g, "").split(" | ");
    const named = [...tests.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)];
    if (named.length === 0) return [`${page}: "${trap}" names no test`];
    return named.flatMap(([, title = "", path = ""]) => {
      const found = titlesIn(path);
      if (found === undefined) return [`${page}: there is no ${path}`];
      return found.includes(title) ? [] : [`${page}: ${path} has no test "${title}"`];
    });
  });
}

/** What is filled in when a test runs is `…`: in `a ${b}` and in `a %s`. */
function testTitles(file: TextFile): string[] {
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
