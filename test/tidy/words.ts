/** Words that must not be in the repository, or not where they are. */
import ts from "typescript";
import { type Allowance, type Finding, folderOf, isTest, published, type TextFile } from "./rule.ts";
import { commentsOnly, lineOf, parsed, walk } from "./syntax.ts";

/** Only a door speaks to people, and the doors are in `src/cli`. */
export function hasNoConsole(files: readonly TextFile[]): Finding[] {
  return published(files)
    .filter(({ path, text }) => folderOf(path) !== "cli" && text.includes("console"))
    .flatMap((file) => {
      const source = parsed(file);
      const findings: Finding[] = [];
      walk(source, (node) => {
        if (!ts.isPropertyAccessExpression(node) || node.expression.getText() !== "console") return;
        findings.push(
          `${file.path}:${lineOf(source, node)} prints with ${node.getText()}; only src/cli prints`,
        );
      });
      return findings;
    });
}

const openEnd = /\b(TODO|FIXME|XXX|HACK)\b/;

/** Work that was put off. Code says what is; what is not yet belongs into an issue. */
export function hasNoOpenEnds(files: readonly TextFile[]): Finding[] {
  return files
    .filter(({ path, text }) => /\.(ts|mjs|cjs|js)$/.test(path) && openEnd.test(text))
    .flatMap((file) =>
      commentsOnly(file)
        .split("\n")
        .flatMap((line, at) => {
          const word = openEnd.exec(line)?.[0];
          return word ? [`${file.path}:${at + 1} says ${word}: do it, or open an issue`] : [];
        }),
    );
}

/** `npm test` prints each skipped test with its reason, and only `context.skip(reason)` can carry one. */
export function skipsWithReason(files: readonly TextFile[]): Finding[] {
  return files
    .filter(({ path }) => isTest(path))
    .flatMap((file) => {
      const source = parsed(file);
      const findings: Finding[] = [];
      walk(source, (node) => {
        const wrong = skipMistake(node);
        if (wrong) findings.push(`${file.path}:${lineOf(source, node)} ${wrong}`);
      });
      return findings;
    });
}

function skipMistake(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && /^(test|it|describe|suite)\b/.test(node.expression.getText())) {
    const { text } = node.name;
    if (text === "only") return "runs one test only; take .only away";
    if (["skip", "skipIf", "runIf", "todo"].includes(text)) {
      return `uses .${text}, which gives no reason; write: test("…", (context) => context.skip("reason"))`;
    }
  }
  if (!ts.isCallExpression(node) || node.arguments.some(isReason)) return undefined;
  const callee = node.expression;
  const isSkip = ts.isPropertyAccessExpression(callee)
    ? callee.name.text === "skip"
    : callee.getText() === "skip";
  return isSkip ? "skips without a reason; write: context.skip(reason)" : undefined;
}

/** A text, or a name for one: what it holds cannot be seen from here. */
function isReason(node: ts.Node): boolean {
  if (ts.isStringLiteralLike(node)) return node.text !== "";
  return ts.isTemplateExpression(node) || ts.isIdentifier(node) || ts.isPropertyAccessExpression(node);
}

/** The repository speaks of itself only: not of the machine it was written on, nor of where packages came from. */
export function namesNoMachine(files: readonly TextFile[], allowed: readonly Allowance[] = []): Finding[] {
  return files
    .filter(({ path }) => !allowed.some((one) => one.path === path))
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, at) => {
        const found = machineWords
          .map((pattern) => pattern.exec(line)?.[0])
          .find((match) => match !== undefined);
        return found ? [`${path}:${at + 1} names "${found}": a place that others do not have`] : [];
      }),
    );
}

const machineWords = [
  // Somebody called "me" or "user" is nobody's machine: tests of paths need such a place.
  /(?<![\w.~)-])\/((home|Users)\/(?!(me|you|user)\b)|root\/|work\/)\w/,
  /\bregistry\.[\w-]+\.(org|com|net|io|dev)\b/,
  /\b[\w.-]*(artifactory|verdaccio|codeartifact|npm\.pkg)[\w-]*\.[\w.-]+/i,
];
