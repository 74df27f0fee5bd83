/**
 * Checks a reply against the current tree: what it would change, what is wrong with it, and what a person must confirm.
 */
import type { Compiled } from "../../change/compile.ts";
import { type JudgedOperations, judgeOperations } from "../../change/judge-operations.ts";
import type { Peek } from "../../changeset/peek.ts";
import type { Reply } from "../../reply/reply.ts";
import { printableLines } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import type { PlannedOperation } from "../../view/end/ended.ts";
import { sha256 } from "../../world/files/hash.ts";
import { newFileMode } from "../../world/files/new-file-mode.ts";

export interface Considered extends JudgedOperations {
  readonly operations: readonly PlannedOperation[];
}

/** What the caller allows. */
export interface ReplyRules {
  readonly confirmDeletes: "ask" | "declared" | "always-allow" | "never";
  /** Empty means anywhere in the root. */
  readonly writes: readonly string[];
  /** An earlier reply's operations were already carried out, so this reply may have none. */
  readonly isWorkAtDesk?: true;
}

export function considerReply(
  reply: Pick<Reply, "operations">,
  { disk, root }: Peek,
  allowed: ReplyRules,
): Considered {
  const judged = judgeOperations(reply.operations, {
    ...{ root, disk, hash: sha256, newFileMode: newFileMode() },
    rules: { deletes: allowed.confirmDeletes, ...(allowed.writes.length > 0 && { writes: allowed.writes }) },
  });
  const located = locator(judged.compiled);
  return {
    ...judged,
    operations: plannedOperations(reply, judged.compiled),
    problems: judged.problems.map(located),
    confirmations: judged.confirmations.map(located),
    warnings: judged.warnings.map(located),
  };
}

/** The policy judges paths, but a person looks for the operation: the last one that touches the path. */
function locator({ steps }: Compiled): <P extends Problem>(problem: P) => P {
  const last = new Map(steps.map(({ path, index }) => [path as string, index]));
  return (problem) => {
    const index = problem.index ?? (problem.path === undefined ? undefined : last.get(problem.path));
    return index === undefined ? problem : { ...problem, index };
  };
}

const previewLimits = { lines: 5, width: 120 };
/** The previewed lines never come from further into the file than this. */
const previewBytes = 4096;

/** Includes operations that did not compile, with the path as the reply spells it. */
function plannedOperations(reply: Pick<Reply, "operations">, { steps }: Compiled): PlannedOperation[] {
  const byIndex = new Map(steps.map((step) => [step.index, step]));
  return reply.operations.map(({ index, operation, filePath }) => {
    const { path = filePath, after, sha256 = null, preview } = byIndex.get(index) ?? {};
    const bytes = after?.length ?? null;
    return { index, operation, path, bytes, sha256, preview: after && preview ? previewOf(after) : null };
  });
}

function previewOf(bytes: Uint8Array): string[] {
  const text = decodeUtf8(bytes.subarray(0, previewBytes));
  return printableLines(text, previewLimits).slice(0, previewLimits.lines);
}
