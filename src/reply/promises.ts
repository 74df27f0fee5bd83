/**
 * Recognises what stands in the place of operations: words that claim files were made, or tool calls written out as
 * text by a model that has no such tools. Neither changed anything, and both were once believed.
 *
 * Asked only when a reply carries no operations, so ordinary prose beside valid ones is never judged.
 */
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";

export function emptyPromise(words: string): Problem | undefined {
  const call = firstMatch(words, toolCalls);
  if (call !== undefined) {
    return {
      code: "REPLY_TOOL_CALL_TEXT",
      message: `the reply writes a tool call out as text (${oneLine(call, 40)}); nobody executes it, so nothing was changed`,
      hint: 'Do not call tools: put every change into {"file_operations": […]} in one ```json block.',
    };
  }
  const claim = firstClaim(words);
  if (claim !== undefined) {
    return {
      code: "REPLY_CLAIM_ONLY",
      message: `the reply says that files were changed (${quote(claim, 80)}) but holds no operations; nothing was changed`,
      hint: 'Send the changes themselves: {"file_operations": […]} in one ```json block.',
    };
  }
  return undefined;
}

/** Each pattern is linear: no two unbounded parts side by side. */
const toolCalls: readonly RegExp[] = [
  /<\/?(?:antml:)?(?:function_calls|invoke name=|tool_call|tool_use|tool_code|use_mcp_tool)[^\n]{0,40}/i,
  /<(?:write_to_file|replace_in_file|apply_diff|insert_content|create_file|edit_file|execute_command|str_replace_editor)>/i,
  /<\|(?:tool_call|tool_calls_begin|python_tag)[^\n]{0,40}/i,
  /\[TOOL_CALLS?\]/,
  /^\*\*\* Begin Patch/m,
  /"(?:tool|tool_name|function|name|recipient_name)"\s{0,20}:\s{0,20}"(?:functions\.)?(?:write|edit|multiedit|bash|notebookedit|write_file|create_file|edit_file|str_replace\w{0,40}|apply_patch|fs_write|run_command|execute_command)"/i,
  /\b(?:Write|Edit|MultiEdit|NotebookEdit|Bash|write_file|create_file|edit_file|str_replace_editor|apply_patch)\s?\(\s?(?:file_path|path|filename|target_file|command|[{"'])/,
];

const verb =
  "(?:created|added|written|wrote|updated|modified|edited|changed|implemented|generated|saved|deleted|removed|refactored|rewritten|rewrote|renamed|fixed)";
/** Something that is a file: a name with an extension, a path, or the word. */
const file = /[\w@-]\.[a-z][a-z0-9]{0,7}\b|[\w@.-]\/[\w@.-]|\bfiles?\b/i;

const claims: readonly RegExp[] = [
  new RegExp(
    `\\b(?:I|we)(?:['’]ve| have)?(?: (?:now|just|also|already|successfully|then)){0,2} ${verb}\\b[^\\n]{0,200}`,
    "gi",
  ),
  new RegExp(
    `[^\\s]{1,100} (?:has|have|was|were)(?: (?:now|successfully|also|all)){0,2}(?: been)?(?: successfully)? ${verb}\\b`,
    "gi",
  ),
  new RegExp(
    `^[ \\t]{0,8}(?:[-*•✅✔☑️]{1,3} {0,3}){0,2}(?:\\*\\*)?(?:successfully )?${verb}\\b[^\\n]{0,200}`,
    "gim",
  ),
];

/** Longer texts repeat themselves. */
const CLAIM_TEXT_MAX = 200_000;

function firstClaim(words: string): string | undefined {
  const text = words.slice(0, CLAIM_TEXT_MAX);
  for (const claim of claims) {
    for (const match of text.matchAll(claim)) {
      const sentence = match[0].split(/[.!?;] /, 1)[0] ?? "";
      if (file.test(sentence) && !sentence.includes("?")) return sentence.trim();
    }
  }
  return undefined;
}

function firstMatch(text: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return match[0];
  }
  return undefined;
}
