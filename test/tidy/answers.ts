/**
 * A person's answer is read in one place, which discards what was typed before its question. Any other code that reads
 * a terminal or stdin must say what for.
 */
import ts from "typescript";
import { type Allowance, type Finding, folderOf, published, type TextFile } from "./rule.ts";
import { imports, lineOf, parsed, walk } from "./syntax.ts";

const keyboard = "src/world/terminal/keyboard.ts";
const linesOfTerminals = /^node:(readline|readline\/promises|tty|repl)$/;

export function onlyKeyboardReadsAnswers(
  files: readonly TextFile[],
  allowed: readonly Allowance[] = [],
): Finding[] {
  return published(files)
    .filter(
      ({ path, text }) => path !== keyboard && /\bstdin\b|\/dev\/tty|node:(readline|tty|repl)/.test(text),
    )
    .filter(({ path }) => !allowed.some((one) => one.path === path))
    .flatMap((file) => {
      const source = parsed(file);
      const findings = imports(file)
        .filter(({ from }) => linesOfTerminals.test(from))
        .map(({ from, line }) => `${file.path}:${line} imports ${from}; answers are read by ${keyboard}`);
      walk(source, (node) => {
        const what = readOf(node, folderOf(file.path));
        if (what)
          findings.push(`${file.path}:${lineOf(source, node)} has ${what}; answers are read by ${keyboard}`);
      });
      return findings;
    });
}

/** In `src/cli`, `stdin` is the user's, whatever object it comes from; elsewhere it is mostly a child's. */
function readOf(node: ts.Node, folder: string): string | undefined {
  if (ts.isStringLiteralLike(node) && node.text === "/dev/tty") return "the terminal's device";
  if (!ts.isIdentifier(node) || node.text !== "stdin") return undefined;
  const isProcess =
    ts.isPropertyAccessExpression(node.parent) && node.parent.expression.getText() === "process";
  const isTaken =
    ts.isBindingElement(node.parent) && /=\s*process\b/.test(node.parent.parent.parent.getText());
  return folder === "cli" || isProcess || isTaken ? "stdin" : undefined;
}
