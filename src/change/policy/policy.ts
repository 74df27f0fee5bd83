/**
 * The one policy: what may be done to the tree, whether a reply proposes it or an agent did it at its desk.
 *
 * Every rule judges every change; there is no limit after which the rest passes. No rule asks whether a file exists:
 * what is dangerous to change is dangerous to create. A confirmation names the hash of the content that was judged, so
 * approving one content never allows another.
 */
import { assert } from "../../std/assert.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { type Change, type Contents, isReadOnlyMode, type Sha256 } from "../change.ts";
import { foldPath, type TreePath } from "../path.ts";
import { composeFile, isComposeFile } from "./compose-file.ts";
import { type DeleteRules, deleteChecker } from "./deletes.ts";
import { emptyingChecker } from "./emptying.ts";
import { nestedRepository, plantedRepositories, plantedRepository } from "./foreign-repository.ts";
import { ignoreFile, isIgnoreFile } from "./ignore-file.ts";
import { isLockFile, lockFile } from "./lock-file.ts";
import { isPackageManifest, packageManifest } from "./package-manifest.ts";
import { protectedPath } from "./protected.ts";
import { secretContent } from "./secret-content.ts";
import { secretPath } from "./secret-paths.ts";
import { sensitivePath } from "./sensitive.ts";
import { spellingChecker } from "./spellings.ts";
import { verifyChecker } from "./verify-runs.ts";
import { type WriteRules, writeChecker } from "./write-rules.ts";

/** Globs support literal text, `*` and `**` only. */
export interface PolicyRules extends WriteRules, DeleteRules {
  /** `never`: sensitive changes are refused without asking a person. */
  readonly sensitive?: "ask" | "never";
  /** Commands that will verify the work. The work must not change what they run. */
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

export interface PolicyInput {
  /** Bytes of the post images. */
  readonly contents: Contents;
  before(path: TreePath): Uint8Array | undefined;
  /** Names in a folder ("" is the root) before the changes; empty when the folder did not exist. */
  names(folder: string): readonly string[];
  isRepository(folder: string): boolean;
  readonly rules: PolicyRules;
}

export function judgeChanges(changes: readonly Change[], given: PolicyInput): Judgement {
  const refused: Problem[] = [];
  const confirmations: Confirmation[] = [];
  const warnings: Problem[] = [];

  const checkWrite = writeChecker(given.rules);
  const checkDelete = deleteChecker(given.rules);
  const checkEmptying = emptyingChecker(given.rules, { changes, ...given });
  const checkSpelling = spellingChecker(changes, given.names);
  const checkVerify = verifyChecker(given.rules.verify ?? []);
  const isRepository = cached((folder) => given.isRepository(folder));
  const planted = plantedRepositories(changes, (change) => headOf(change, given.contents));

  for (const change of changes) {
    const { path } = change;
    const refusal = protectedPath(path) ?? secretPath(path) ?? checkWrite(path) ?? checkSpelling(change);
    if (refusal) {
      refused.push({ ...refusal, path });
      continue;
    }
    const sha256 = (change.post ?? change.pre)?.sha256;
    assert(sha256, "a change has an image before or after it");
    const ask = (problem: Omit<Problem, "path"> | undefined) => {
      if (problem) confirmations.push({ ...problem, path, sha256 });
    };

    const judgeSensitive = (problem: Omit<Problem, "path"> | undefined) => {
      if (problem && given.rules.sensitive === "never") refused.push({ ...problem, hint: neverHint, path });
      else ask(problem);
    };
    judgeSensitive(sensitivePath(path));
    judgeSensitive(nestedRepository(path, isRepository));
    judgeSensitive(plantedRepository(path, planted));
    const before = given.before(path);
    const after = change.post && bytesAfter(change, given.contents);
    ask(checkVerify({ path, isNew: !change.pre, before, after }));
    const removal = after
      ? checkEmptying({ path, before: before ?? new Uint8Array(), after })
      : checkDelete(path, change.pre?.size ?? 0);
    if (removal.answer === "refused") refused.push({ ...removal.problem, path });
    if (removal.answer === "needs-person") ask(removal.problem);
    if (!after) continue;
    const readOnly = readOnlyFile(change);
    if (readOnly) warnings.push({ ...readOnly, path });
    const findings = judgeContent(change, { before: before ?? new Uint8Array(), after });
    for (const problem of findings.sensitive) judgeSensitive(problem);
    for (const problem of findings.warnings) warnings.push({ ...problem, path });
  }
  return { refused, confirmations, warnings };
}

const neverHint = "Leave it as it is: no one is asked about it here (`confirm-sensitive: never`).";

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
    isComposeFile(folded) ? composeFile(path, textAfter) : undefined,
    secretContent(textBefore, textAfter),
    after.includes(0) && !before.includes(0) ? nulContent(after) : undefined,
  ];
  const warnings = [manifest.added, isIgnoreFile(folded) ? ignoreFile(textBefore, textAfter) : undefined];
  return { sensitive: sensitive.filter(isPresent), warnings: warnings.filter(isPresent) };
}

/** We replace files by a rename, which ignores a read-only mode. An editor would have been stopped, so we warn. */
function readOnlyFile({ path, pre }: Change): Omit<Problem, "path"> | undefined {
  if (!pre || !isReadOnlyMode(pre)) return undefined;
  const mode = (pre.mode & 0o777).toString(8).padStart(3, "0");
  return {
    code: "PATH_READ_ONLY",
    message: `${quote(path)} is read-only (mode ${mode}), but is changed anyway; its mode stays`,
    hint: "Check that it may be changed: such files are often generated, or protected on purpose.",
  };
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

/** A HEAD is short; anything longer is not one. */
function headOf(change: Change, contents: Contents): string {
  return decodeUtf8(bytesAfter(change, contents).subarray(0, 256));
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** Caches answers, because many changes share their folders. */
function cached(ask: (folder: string) => boolean): (folder: string) => boolean {
  const answers = new Map<string, boolean>();
  return (folder) => {
    const known = answers.get(folder);
    if (known !== undefined) return known;
    const answer = ask(folder);
    answers.set(folder, answer);
    return answer;
  };
}
