/** Words that must not occur in the repository, or not in certain places. */
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

/**
 * JSON that a door prints can contain text from others, and only `view/text/json-text.ts` keeps it from acting on a
 * terminal.
 */
export function printsJsonSafely(files: readonly TextFile[], allowed: readonly Allowance[] = []): Finding[] {
  return published(files)
    .filter(({ path }) => folderOf(path) === "cli" || folderOf(path) === "main")
    .filter(({ path }) => !allowed.some((one) => one.path === path))
    .flatMap((file) => {
      const source = parsed(file);
      const findings: Finding[] = [];
      walk(source, (node) => {
        if (!ts.isPropertyAccessExpression(node) || node.getText() !== "JSON.stringify") return;
        findings.push(
          `${file.path}:${lineOf(source, node)} makes JSON by JSON.stringify; jsonText prints it`,
        );
      });
      return findings;
    });
}

/**
 * The temporary folder is shared: a fixed name in it may already be taken by another user. So code that uses it must
 * create its own folder (`mkdtemp`) and work in that.
 */
export function takesTemporaryPlacesOfItsOwn(
  files: readonly TextFile[],
  allowed: readonly Allowance[] = [],
): Finding[] {
  return files
    .filter(({ path, text }) => /\.(ts|mjs|js)$/.test(path) && /tmpdir|\/tmp\b/.test(text))
    .filter(({ path }) => !allowed.some((one) => one.path === path))
    .flatMap((file) => {
      const source = parsed(file);
      const findings: Finding[] = [];
      walk(source, (node) => {
        if (isSharedPlace(node))
          findings.push(
            `${file.path}:${lineOf(source, node)} names a place in the shared temporary folder; use mkdtemp`,
          );
      });
      return findings;
    });
}

function isSharedPlace(node: ts.Node): boolean {
  if (ts.isStringLiteralLike(node)) return /^\/(?:var\/)?tmp\/./.test(node.text);
  if (!ts.isCallExpression(node) || !/(?:^|\.)tmpdir$/.test(node.expression.getText())) return false;
  const { parent } = node;
  const joined = ts.isCallExpression(parent) && /(?:^|\.)join$/.test(parent.expression.getText());
  if (!joined) return false;
  const maker = parent.parent;
  return !(ts.isCallExpression(maker) && /(?:^|\.)mkdtemp(?:Sync)?$/.test(maker.expression.getText()));
}

const openEnd = /\b(TODO|FIXME|XXX|HACK)\b/;

/** Postponed work. Code says what is; what is missing belongs in an issue. */
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

/** A text, or a name for one, whose content cannot be seen from here. */
function isReason(node: ts.Node): boolean {
  if (ts.isStringLiteralLike(node)) return node.text !== "";
  return ts.isTemplateExpression(node) || ts.isIdentifier(node) || ts.isPropertyAccessExpression(node);
}

/** The repository mentions only itself: not the machine it was written on, nor where packages came from. */
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
  // "me" and "user" do not identify a machine, and tests of paths need such a place.
  /(?<![\w.~)-])\/((home|Users)\/(?!(me|you|user)\b)|root\/|work\/)\w/,
  /\bregistry\.[\w-]+\.(org|com|net|io|dev)\b/,
  /\b[\w.-]*(artifactory|verdaccio|codeartifact|npm\.pkg)[\w-]*\.[\w.-]+/i,
];
