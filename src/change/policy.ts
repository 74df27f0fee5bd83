/**
 * The one policy: what may be done to the tree, whether a reply proposes it or an agent did it at its desk.
 *
 * Every change is judged by every rule, with no upper bound after which anything passes, and no rule asks
 * whether a file exists: what is dangerous to change is dangerous to create. A confirmation names the hash of
 * what was judged, so that saying yes to one content allows no other.
 */
import { assert } from "../std/assert.ts";
import type { Problem } from "../std/problem.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import type { Change, Contents, Sha256 } from "./change.ts";
import { type Claims, claimChecker } from "./claims.ts";
import { type DeleteRules, deleteChecker } from "./deletes.ts";
import { emptyingChecker } from "./emptying.ts";
import { nestedRepository, plantedRepositories, plantedRepository } from "./foreign-repository.ts";
import { ignoreFile, isIgnoreFile } from "./ignore-file.ts";
import { isLockFile, lockFile } from "./lock-file.ts";
import { isPackageManifest, packageManifest } from "./package-manifest.ts";
import { foldPath, type TreePath } from "./path.ts";
import { protectedPath } from "./protected.ts";
import { secretContent } from "./secret-content.ts";
import { secretPath } from "./secret-paths.ts";
import { sensitivePath } from "./sensitive.ts";
import { verifyChecker } from "./verify-runs.ts";

/** Globs know literal text, `*` and `**` only. */
export interface Rules extends Claims, DeleteRules {
  /** Commands by which the work will be judged: what they run is not for the work to change. */
  readonly verify?: readonly string[];
}

export interface Judgement {
  /** Nobody can allow these. */
  readonly refused: readonly Problem[];
  readonly confirmations: readonly Confirmation[];
  readonly warnings: readonly Problem[];
}

/** Something only a person may allow; bound to the content by its hash (or the hash of what is deleted). */
export interface Confirmation extends Problem {
  readonly path: TreePath;
  readonly sha256: Sha256;
}

export interface Given {
  /** Bytes of the post images. */
  readonly contents: Contents;
  before(path: TreePath): Uint8Array | undefined;
  isRepository(folder: string): boolean;
  readonly rules: Rules;
}

export function judge(changes: readonly Change[], given: Given): Judgement {
  const refused: Problem[] = [];
  const confirmations: Confirmation[] = [];
  const warnings: Problem[] = [];

  const checkClaim = claimChecker(given.rules);
  const checkDelete = deleteChecker(given.rules);
  const checkEmptying = emptyingChecker(given.rules, { changes, ...given });
  const checkVerify = verifyChecker(given.rules.verify ?? []);
  const isRepository = remembered((folder) => given.isRepository(folder));
  const planted = plantedRepositories(changes, (change) => headOf(change, given.contents));

  for (const change of changes) {
    const { path } = change;
    const refusal = protectedPath(path) ?? secretPath(path) ?? checkClaim(path);
    if (refusal) {
      refused.push({ ...refusal, path });
      continue;
    }
    const sha256 = (change.post ?? change.pre)?.sha256;
    assert(sha256, "a change has an image before or after it");
    const ask = (problem: Omit<Problem, "path"> | undefined) => {
      if (problem) confirmations.push({ ...problem, path, sha256 });
    };

    ask(sensitivePath(path));
    ask(nestedRepository(path, isRepository));
    ask(plantedRepository(path, planted));
    const before = given.before(path);
    const after = change.post && bytesAfter(change, given.contents);
    ask(checkVerify({ path, isNew: !change.pre, before, after }));
    const gone = after
      ? checkEmptying({ path, before: before ?? new Uint8Array(), after })
      : checkDelete(path, change.pre?.size ?? 0);
    if (gone.answer === "refused") refused.push({ ...gone.problem, path });
    if (gone.answer === "needs-person") ask(gone.problem);
    if (!after) continue;
    const findings = judgeContent(change, { before: before ?? new Uint8Array(), after });
    for (const problem of findings.sensitive) ask(problem);
    for (const problem of findings.warnings) warnings.push({ ...problem, path });
  }
  return { refused, confirmations, warnings };
}

interface Findings {
  readonly sensitive: readonly Omit<Problem, "path">[];
  readonly warnings: readonly Omit<Problem, "path">[];
}

interface Bytes {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

function judgeContent({ path }: Change, { before, after }: Bytes): Findings {
  const [textBefore, textAfter] = [decodeUtf8(before), decodeUtf8(after)];
  const folded = foldPath(path);
  const manifest = isPackageManifest(folded) ? packageManifest(textBefore, textAfter) : {};
  const sensitive = [
    manifest.sensitive,
    isLockFile(folded) ? lockFile(folded, textBefore, textAfter) : undefined,
    secretContent(textBefore, textAfter),
    after.includes(0) && !before.includes(0) ? nulContent(after) : undefined,
  ];
  const warnings = [manifest.added, isIgnoreFile(folded) ? ignoreFile(textBefore, textAfter) : undefined];
  return { sensitive: sensitive.filter(isPresent), warnings: warnings.filter(isPresent) };
}

function nulContent(after: Uint8Array): Omit<Problem, "path"> {
  return {
    code: "CONTENT_NUL",
    message: `the new content holds a NUL byte, at offset ${after.indexOf(0)}: git and other tools will take the file for binary`,
    hint: "Write the character as an escape of the language, such as \\0 in a string; a person is asked.",
  };
}

function bytesAfter(change: Change, contents: Contents): Uint8Array {
  const bytes = change.post && contents.get(change.post.sha256);
  assert(bytes, "the bytes of every post image are given");
  return bytes;
}

/** A HEAD is short; what is longer is none. */
function headOf(change: Change, contents: Contents): string {
  return decodeUtf8(bytesAfter(change, contents).subarray(0, 256));
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** Many changes share their folders. */
function remembered(ask: (folder: string) => boolean): (folder: string) => boolean {
  const answers = new Map<string, boolean>();
  return (folder) => {
    const known = answers.get(folder);
    if (known !== undefined) return known;
    const answer = ask(folder);
    answers.set(folder, answer);
    return answer;
  };
}
