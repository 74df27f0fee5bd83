/**
 * Operations → changes. Runs the operations of a reply in order, each on the result of the ones before it, and returns
 * their net effect: one change per path.
 *
 * Nothing is written. Every operation is tried, so that all mistakes are found at once. After a mistake, later
 * operations on the same path are skipped, because their errors would only be consequences of the first.
 */
import type { Operation } from "../reply/reply.ts";
import { sameBytes } from "../std/bytes.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { type Change, type Contents, defaultMode, type Sha256 } from "./change.ts";
import type { Disk } from "./disk.ts";
import { foreignEncoding } from "./edit/encoding.ts";
import { usesCrlf } from "./edit/line-ends.ts";
import { execute } from "./execute.ts";
import { searchedBytesMax, tooMuchInTotal, tooMuchSearching, totalBytesMax } from "./limits.ts";
import { canonicalPath, type TreePath } from "./path.ts";
import { protectedPath } from "./policy/protected.ts";
import { secretPath } from "./policy/secret-paths.ts";
import { collision, type Spellings, trackSpellings } from "./policy/spellings.ts";
import { contentsOf, netEffect, type StagedFile, warningsOf } from "./staged.ts";
import { suggestPath } from "./suggest-path.ts";

export interface Compiled {
  /** The net effect: one change per path, in the order of first touch; unchanged files are left out. */
  readonly changes: readonly Change[];
  /** The bytes of every post image. */
  readonly contents: Contents;
  /** One for each operation that compiled. */
  readonly steps: readonly CompiledStep[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /**
   * Edits in plain words, which must be turned into concrete ones before they can be compiled. At most one per path,
   * because whatever follows on that path depends on it.
   */
  readonly needsEditor: readonly EditorRequest[];
}

export interface EditorRequest {
  readonly index: number;
  readonly path: TreePath;
  readonly instructions: string;
}

/** What one operation did to the staged image of its file. */
export interface CompiledStep {
  readonly index: number;
  readonly operation: Operation["operation"];
  readonly path: TreePath;
  readonly description: string;
  /** Undefined when there was no file. */
  readonly before?: Uint8Array;
  /** Undefined when the file was removed. */
  readonly after?: Uint8Array;
  /** The hash of `after`. */
  readonly sha256?: Sha256;
  readonly preview: boolean;
}

export interface CompileContext {
  /** The absolute path of the workspace. */
  readonly root: string;
  readonly disk: Disk;
  hash(bytes: Uint8Array): Sha256;
  /** Mode of new files; `defaultMode` unless the user wants another. */
  readonly newFileMode?: number;
}

export function compile(operations: readonly Operation[], given: CompileContext): Compiled {
  const state: State = {
    files: new Map(),
    refusedPaths: new Set(),
    spellings: trackSpellings(given.disk),
    steps: [],
    problems: [],
    warnings: [],
    needsEditor: [],
    totalBytes: 0,
    searchedBytes: 0,
    suggestionsLeft: 50,
  };
  for (const operation of operations) {
    const refused = compileOne(operation, state, given);
    if (refused) state.problems.push({ ...refused, index: operation.index });
  }
  const { steps, problems, needsEditor } = state;
  const changes = netEffect(state.files, given.newFileMode ?? defaultMode);
  const warnings = [...state.warnings, ...changes.flatMap((change) => warningsOf(change, state.files))];
  return { changes, contents: contentsOf(changes, state.files), steps, problems, warnings, needsEditor };
}

interface State {
  readonly files: Map<TreePath, StagedFile>;
  /** Canonical where possible, otherwise as given. */
  readonly refusedPaths: Set<string>;
  readonly spellings: Spellings;
  readonly steps: CompiledStep[];
  readonly problems: Problem[];
  readonly warnings: Problem[];
  readonly needsEditor: EditorRequest[];
  totalBytes: number;
  searchedBytes: number;
  /** Searching for similar names takes time; this many are enough to see a pattern. */
  suggestionsLeft: number;
}

function compileOne(operation: Operation, state: State, given: CompileContext): Problem | undefined {
  const canonical = canonicalPath(operation.filePath, given.root);
  const path = "path" in canonical ? canonical.path : operation.filePath;
  if (state.refusedPaths.has(path)) return undefined;
  const problem =
    "problem" in canonical ? canonical.problem : onPath(operation, canonical.path, state, given);
  if (problem) state.refusedPaths.add(path);
  return problem;
}

function onPath(
  operation: Operation,
  path: TreePath,
  state: State,
  given: CompileContext,
): Problem | undefined {
  const problem = refusedUnseen(path) ?? onStagedFile(operation, path, state, given);
  const file = state.files.get(path);
  if (problem && file) file.isSettled = true;
  return problem && { ...problem, path };
}

/** Checked before looking at the disk: an error about such a file's content would already reveal too much. */
function refusedUnseen(path: TreePath): Problem | undefined {
  return protectedPath(path) ?? secretPath(path);
}

function onStagedFile(
  operation: Operation,
  path: TreePath,
  state: State,
  given: CompileContext,
): Problem | undefined {
  if (state.totalBytes > totalBytesMax) return undefined;
  const opened = state.files.get(path) ?? open(operation, path, state, given);
  if ("problem" in opened) return opened.problem;
  const file = opened;
  if (file.isSettled) return undefined;
  file.touchedBy = operation.index;

  const unfit = baseChanged(operation, file, path) ?? searchLimit(operation, file, state);
  if (unfit) return unfit;
  const executed = execute(operation, path, file.bytes);
  if ("problem" in executed) return withSuggestion(executed.problem, path, file, state, given);
  if ("instructions" in executed) {
    state.needsEditor.push({ index: operation.index, path, instructions: executed.instructions });
    file.isSettled = true;
    return undefined;
  }

  const { after } = executed;
  state.totalBytes += after?.length ?? 0;
  if (state.totalBytes > totalBytesMax) return tooMuchInTotal();
  const before = file.bytes;
  file.bytes = after;
  file.sha256 = after && given.hash(after);
  state.steps.push({
    index: operation.index,
    operation: operation.operation,
    path,
    description: operation.description,
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
    ...(file.sha256 ? { sha256: file.sha256 } : {}),
    preview: operation.preview,
  });
  if (before && after) warnAboutEdit({ operation, path, before, after }, state);
  return undefined;
}

function open(
  operation: Operation,
  path: TreePath,
  state: State,
  { disk }: CompileContext,
): StagedFile | { problem: Problem } {
  const clash = state.spellings.clash(path);
  if (clash) return { problem: clash };
  const seen = disk.look(path);
  if (seen.kind === "problem") return { problem: seen.problem };

  const isThere = seen.kind === "file";
  if (isThere || operation.operation === "create") {
    const other = state.spellings.onDisk(path);
    if (other !== undefined) return { problem: collision(path, path, other, "on the disk") };
    const parent = isThere ? undefined : parentThatIsFile(path, disk);
    if (parent) return { problem: parent };
  }
  const file: StagedFile = { touchedBy: operation.index, isSettled: false };
  const staged = isThere
    ? { ...file, pre: seen.image, bytesBefore: seen.bytes, bytes: seen.bytes, sha256: seen.image.sha256 }
    : file;
  state.files.set(path, staged);
  return staged;
}

function parentThatIsFile(path: TreePath, disk: Disk): Problem | undefined {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    const folder = path.slice(0, end);
    if (disk.names(folder).length > 0) continue;
    // An empty folder, a file, or nothing at all.
    if (disk.look(folder as TreePath).kind !== "file") return undefined;
    return {
      code: "PATH_NOT_DIRECTORY",
      message: `${quote(path)} cannot be made: ${quote(folder)} is a file, not a folder`,
      hint: "Choose another folder, or another name.",
    };
  }
  return undefined;
}

/** The model may give the hash of the file it read, or of what its own earlier operations made of it. */
function baseChanged({ baseSha256 }: Operation, file: StagedFile, path: TreePath): Problem | undefined {
  const expected = baseSha256?.toLowerCase();
  if (expected === undefined || expected === file.pre?.sha256 || expected === file.sha256) return undefined;
  const found = file.sha256 ? `found ${file.sha256.slice(0, 12)}…` : "there is no such file";
  return {
    code: "OPS_BASE_CHANGED",
    message: `${quote(path)} is not the file that was read (expected ${quote(expected.slice(0, 12))}…, ${found})`,
    hint: "Read the file again and redo the operation, with its current hash as `base_sha256`.",
    field: "base_sha256",
  };
}

function searchLimit(operation: Operation, file: StagedFile, state: State): Problem | undefined {
  state.searchedBytes += searchesOf(operation) * (file.bytes?.length ?? 0);
  return state.searchedBytes > searchedBytesMax ? tooMuchSearching(state.searchedBytes) : undefined;
}

function searchesOf(operation: Operation): number {
  if (operation.operation !== "edit") return 0;
  if (operation.edit.by === "replacements") return operation.edit.replacements.length;
  return operation.edit.by === "patch" ? operation.edit.patch.split("\n@@").length : 0;
}

function withSuggestion(
  problem: Problem,
  path: TreePath,
  file: StagedFile,
  state: State,
  { disk }: CompileContext,
): Problem {
  if (problem.code !== "OPS_MISSING") return problem;
  if (file.pre)
    return { ...problem, message: `${problem.message}: an earlier operation of this reply deletes it` };
  if (state.suggestionsLeft-- <= 0) return problem;
  const other = state.spellings.onDisk(path) ?? suggestPath(path, disk);
  return other === undefined
    ? problem
    : { ...problem, hint: `Did you mean ${quote(other)}? ${problem.hint}` };
}

function warnAboutEdit(
  step: { operation: Operation; path: TreePath; before: Uint8Array; after: Uint8Array },
  state: State,
): void {
  const { operation, path, before, after } = step;
  const { index } = operation;
  const encoding = foreignEncoding(before);
  if (encoding && after.length > 0 && !foreignEncoding(after)) {
    state.warnings.push({
      code: "OPS_ENCODING",
      message: `${quote(path)} was in ${encoding.name}, and will be in UTF-8`,
      hint: "Check that every reader of the file accepts UTF-8.",
      index,
      path,
    });
  }
  if (sameBytes(before, after)) {
    state.warnings.push({
      code: "OPS_NO_CHANGE",
      message: `the operation does not change ${quote(path)}`,
      hint: "Leave it out, or check that it says what you mean.",
      index,
      path,
    });
  } else if (usesCrlf(before) && after.length > 0 && !usesCrlf(after)) {
    state.warnings.push({
      code: "OPS_LINE_ENDS",
      message: `${quote(path)} had CRLF at every line end, and will not have it any more`,
      hint: "Use `edits` or a `patch`, which keep the line ends, or write \\r\\n.",
      index,
      path,
    });
  }
}
