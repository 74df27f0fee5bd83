/**
 * What a reply's words claim was done: files created or changed, tool calls written out as text. Words are never
 * evidence; they are read only to be compared with what is really there.
 */
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";

export interface DeliveryClaims {
  /** Sentences that claim files were changed, as written. */
  readonly sentences: readonly string[];
  /** The paths in those sentences, each once, as written. */
  readonly files: readonly string[];
  /** The beginning of a tool call that was written out as text. */
  readonly toolCall?: string;
}

export function claimsIn(words: string): DeliveryClaims {
  const toolCall = firstToolCall(words);
  const sentences: string[] = [];
  const files = new Set<string>();
  for (const { sentence, list } of claimed(words)) {
    sentences.push(sentence);
    const object = sentence.split(clause, 1)[0] ?? "";
    for (const path of pathsIn(`${object}\n${list}`)) if (files.size < FILES_MAX) files.add(path);
    if (sentences.length === SENTENCES_MAX) break;
  }
  return { sentences, files: [...files], ...(toolCall !== undefined && { toolCall }) };
}

/** What was claimed but is not among the captured changes. */
export function undelivered(
  { sentences, files, toolCall }: DeliveryClaims,
  captured: readonly string[],
): Problem[] {
  const isEmpty = captured.length === 0;
  if (isEmpty && toolCall !== undefined) return [writtenToolCall(toolCall, useTools)];
  const missing = files.filter((file) => !captured.some((path) => isSameFile(path, file)));
  const shown = missing.slice(0, 10).map((file) => oneLine(file, 100));
  const [sentence] = sentences;
  if (shown.length === 0 && !(isEmpty && sentence !== undefined)) return [];
  return [
    {
      code: "REPLY_CLAIM_ONLY",
      message:
        shown.length === 0
          ? `the reply says that files were changed (${quote(sentence ?? "", 80)}), and no file was`
          : `the reply says that these files were changed, and they were not: ${shown.join(", ")}${missing.length > shown.length ? ", …" : ""}`,
      hint: "Make the changes now, or say that they were not needed.",
    },
  ];
}

const useTools =
  'Use your tools themselves; if you have none, answer with {"file_operations": […]} in one ```json block.';

export function writtenToolCall(call: string, hint: string): Problem {
  return {
    code: "REPLY_TOOL_CALL_TEXT",
    message: `the reply writes a tool call out as text (${oneLine(call, 40)}); it is not executed, so nothing was changed`,
    hint,
  };
}

export function firstToolCall(text: string): string | undefined {
  for (const pattern of toolCalls) {
    const match = pattern.exec(text);
    if (match !== null) return match[0];
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
/** Something that refers to a file: a name with an extension, a path, or the word "file". */
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
const SENTENCES_MAX = 100;
const FILES_MAX = 1_000;

/** The sentences, each with the list that follows if the sentence announces one. */
export function* claimed(words: string): Generator<{ sentence: string; list: string }> {
  const text = words.slice(0, CLAIM_TEXT_MAX);
  for (const claim of claims) {
    for (const match of text.matchAll(claim)) {
      const sentence = match[0].split(/[.!?;] /, 1)[0] ?? "";
      if (!file.test(sentence) || sentence.includes("?")) continue;
      yield { sentence: sentence.trim(), list: listBehind(text, match.index + match[0].length) };
    }
  }
}

/** The items of the list below a line that ends with a colon. */
function listBehind(text: string, at: number): string {
  if (text[at - 1] !== ":") return "";
  const items = [];
  for (const line of text.slice(at + 1, at + 10_000).split("\n")) {
    if (/^ {0,4}[-*•]/.test(line)) items.push(line.split(/: | [-–—] /, 1)[0] ?? "");
    else if (line.trim() !== "") break;
  }
  return items.join("\n");
}

/** What follows one of these is mentioned, not claimed: "updated a.ts to use b.ts". */
const clause =
  /\b(?:to|so|that|which|because|using|uses?|with|without|from|for|like|as|per|not|nothing|no|except|instead|but|based|see)\b/i;

/**
 * File names, but not columns (`users.email`), methods, versions or addresses: a name counts if it has a slash, or an
 * extension that only files have.
 */
function pathsIn(text: string): string[] {
  return text
    .split(/[\s`"'(),;<>*[\]]+/)
    .map((word) => word.replace(/^\.\//, "").replace(/[.:!]+$/, ""))
    .filter((word) => word.length <= 300 && /^[\w@./-]+\.[a-zA-Z]\w{0,7}$/.test(word))
    .filter((word) => word.includes("/") || (endings.test(word) && !runtimes.test(word)));
}

const endings =
  /\.(?:[cm]?[jt]sx?|json|md|py|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|sql|sh|ya?ml|toml|html|s?css|vue|svelte|txt|xml|lock)$/;
const runtimes = /^(?:node|vue|next|nuxt|express|react|three|d3|chart)\.js$/i;

/** People name a file by its end (`users.ts` for `src/db/users.ts`), tools by its full path. */
function isSameFile(captured: string, named: string): boolean {
  return captured === named || captured.endsWith(`/${named}`) || named.endsWith(`/${captured}`);
}
