/**
 * Recognises what a reply may contain instead of operations: claims that files were created, or tool calls written out
 * as text by a model that has no such tools. Neither changed anything, and both were once accepted.
 *
 * Used only when a reply has no operations, so ordinary prose next to valid ones is never judged.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { claimed, firstToolCall, writtenToolCall } from "./claims.ts";

export function emptyPromise(words: string): Problem | undefined {
  const call = firstToolCall(words);
  if (call !== undefined) return writtenToolCall(call, noTools);
  const claim = claimed(words).next().value;
  if (claim === undefined) return undefined;
  return {
    code: "REPLY_CLAIM_ONLY",
    message: `the reply says that files were changed (${quote(claim.sentence, 80)}) but holds no operations; nothing was changed`,
    hint: 'Send the changes themselves: {"file_operations": […]} in one ```json block.',
  };
}

const noTools = 'Do not call tools: put every change into {"file_operations": […]} in one ```json block.';
