/**
 * Emptying a file counts as deleting it: the file becomes empty, or a file of some length loses nearly everything. If
 * its lines moved to other files of the same change, nothing was lost and no confirmation is needed.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import type { Change, Contents } from "../change.ts";
import { anyGlob, anywhereGlob } from "../glob.ts";
import { foldPath, type TreePath } from "../path.ts";
import type { DeleteAnswer, DeleteRules } from "./deletes.ts";

export interface EmptiedFile {
  readonly path: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

export interface Elsewhere {
  readonly changes: readonly Change[];
  readonly contents: Contents;
  before(path: TreePath): Uint8Array | undefined;
}

/**
 * From this length on, a file counts as emptied when at most a tenth of its lines is left. A shorter file must lose
 * everything, because short files are often rewritten whole.
 */
const linesMin = 20;
/**
 * Share of the lost lines that must be found elsewhere. Not all of them, because moved code is often changed a little.
 */
const movedMin = 0.5;

export function emptyingChecker(
  rules: DeleteRules,
  elsewhere: Elsewhere,
): (file: EmptiedFile) => DeleteAnswer {
  const isDeclared = anyGlob(rules.declaredDeletes ?? []);
  const isAdded = addedLines(elsewhere);
  return ({ path, before, after }) => {
    if (rules.deletes === "always-allow") return { answer: "allowed" };
    if (rules.deletes === "declared" && isDeclared(path)) return { answer: "allowed" };
    const lost = lostLines(before, after);
    if (lost === undefined) return { answer: "allowed" };
    if (lost.lines.filter(isAdded).length >= lost.lines.length * movedMin) return { answer: "allowed" };
    const left =
      after.length === 0 ? "would be emptied" : `would lose ${lost.lines.length} of its ${lost.of} lines`;
    return rules.deletes === "never" ? refused(path, left) : asked(path, left);
  };
}

interface Lost {
  readonly lines: readonly string[];
  readonly of: number;
}

/** Undefined when the file is not emptied. */
function lostLines(before: Uint8Array, after: Uint8Array): Lost | undefined {
  // A cheap check first: hardly any change leaves so little.
  if (after.length > Math.max(1024, before.length / 2)) return undefined;
  const [old, now] = [linesOf(before), linesOf(after)];
  if (old.length === 0) return undefined;
  const isSmall = old.length < linesMin || before.includes(0);
  if (now.length * 10 > (isSmall ? 0 : old.length)) return undefined;
  const kept = new Set(now);
  return { lines: old.filter((line) => !kept.has(line)), of: old.length };
}

/** Blank lines are ignored. */
function linesOf(bytes: Uint8Array | undefined): string[] {
  return decodeUtf8(bytes ?? new Uint8Array())
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/**
 * Only lines that the files did not have before count as moved. Computed on first use, because hardly any change
 * empties a file.
 */
function addedLines({ changes, contents, before }: Elsewhere): (line: string) => boolean {
  let added: Set<string> | undefined;
  return (line) => {
    added ??= new Set(
      changes.flatMap(({ path, post }) => {
        const had = new Set(linesOf(before(path)));
        return linesOf(post && contents.get(post.sha256)).filter((each) => !had.has(each));
      }),
    );
    return added.has(line);
  };
}

function refused(path: string, left: string): DeleteAnswer {
  const message = `${quote(path)} ${left}, but the policy forbids deletes`;
  const hint = "Leave what is in the file, or have the policy `confirm_deletes` changed.";
  return { answer: "refused", problem: { code: "DELETE_NEVER", message, hint } };
}

function asked(path: string, left: string): DeleteAnswer {
  const isTest = isTestFile(foldPath(path));
  const what: Omit<Problem, "path" | "hint"> = isTest
    ? { code: "TEST_EMPTIED", message: `the test file ${quote(path)} ${left}` }
    : { code: "FILE_EMPTIED", message: `${quote(path)} ${left}` };
  const hint = "A person is asked, as for a delete; a file that the task declares to delete needs no asking.";
  return { answer: "needs-person", problem: { ...what, hint } };
}

const isTestFile = anywhereGlob(`
  test/ tests/ __tests__/ spec/ specs/ e2e/ testing/ *.test.* *.spec.* *_test.* *_spec.* test_*.* *test.java *tests.java
  *test.kt *test.cs *tests.cs *test.php conftest.py test.js test.mjs test.cjs test.ts test.py test.sh
`);
