/**
 * Finds lines that stand for code somebody left out ("// rest of the code unchanged"). Written over an existing file they
 * would destroy what they stand for, so there they are errors; in a new file they are doubtful.
 *
 * Only a line that is nothing but the placeholder counts, and only in wordings that no honest comment has.
 */
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { nameOf } from "./issue.ts";
import type { Operation } from "./reply.ts";

export function placeholderProblems(operations: readonly Operation[]): {
  errors: Problem[];
  warnings: Problem[];
} {
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  let looked = 0;
  for (const operation of operations) {
    for (const { field, text, before, replaces } of writtenTexts(operation)) {
      looked += text.length;
      if (looked > TYPED_MAX) return { errors, warnings };
      const line = firstPlaceholder(text, before);
      if (line === undefined) continue;
      const destroys = replaces && !isProse(operation.filePath);
      (destroys ? errors : warnings).push({
        code: "REPLY_PLACEHOLDER",
        message: `${nameOf(operation, field)} leaves something out: the line ${quote(line, 60)} would stand in the file as it is`,
        hint: destroys
          ? 'Write every line out, or change only what changes with "edits".'
          : "Write every line out, if this line stands for others.",
        index: operation.index,
        field,
      });
    }
  }
  return { errors, warnings };
}

/** No model types more than this in one reply; what is longer was made by a program, which leaves nothing out. */
const TYPED_MAX = 4_000_000;

interface Written {
  readonly field: string;
  readonly text: string;
  /** What the text takes the place of, where the reply says it. */
  readonly before: string;
  /** It takes the place of something that is there. */
  readonly replaces: boolean;
}

function writtenTexts(operation: Operation): Written[] {
  if (operation.operation === "delete") return [];
  if (operation.operation !== "edit") {
    return [{ field: "content", text: operation.content, before: "", replaces: false }];
  }
  const { edit } = operation;
  if (edit.by === "content") return [{ field: "content", text: edit.content, before: "", replaces: true }];
  if (edit.by !== "replacements") return [];
  return edit.replacements.map((replacement, position) => ({
    field: `edits[${position}].new_string`,
    text: replacement.newString,
    before: replacement.oldString,
    replaces: true,
  }));
}

/** Documentation shows such lines in its samples. */
function isProse(path: string): boolean {
  return /\.(?:md|mdx|markdown|txt|rst|adoc)$/i.test(path);
}

/** Every wording below has one of these words. One pass with it, 0.7 ns a character, spares looking at each line. */
const keyword = /existing|remain|rest of|unchanged|omitted|same as|no changes/gi;

function firstPlaceholder(text: string, before: string): string | undefined {
  keyword.lastIndex = 0;
  for (let match = keyword.exec(text); match !== null; match = keyword.exec(text)) {
    const from = text.lastIndexOf("\n", match.index) + 1;
    const newline = text.indexOf("\n", match.index);
    const end = newline === -1 ? text.length : newline;
    if (end - from <= LINE_MAX) {
      const line = text.slice(from, end).trim();
      if (isPlaceholder(line) && !before.includes(line)) return line;
    }
    keyword.lastIndex = end;
  }
  return undefined;
}

/** A placeholder is short; a line of two megabytes is data. */
const LINE_MAX = 200;

function isPlaceholder(line: string): boolean {
  const comment = commented(line);
  const bare = comment ?? line;
  const words = bare
    .toLowerCase()
    .replace(/^[\s.…\-[(<*]+|[\s.…\-\])>*!:]+$/g, "")
    .replace(/\s+/g, " ");
  const isElided = /^[[(<]?\s?(?:\.{3}|…)|(?:\.{3}|…)\s?[\])>]?$/.test(bare.trim());
  const isBracketed = /^\[.*\]$/.test(bare.trim());
  if (comment === undefined && !isElided && !isBracketed) return false;
  return (
    statements.some((wording) => wording.test(words)) || ((isElided || isBracketed) && names.test(words))
  );
}

const thing =
  "(?:code|file|files|content|contents|implementation|function|functions|method|methods|class|component|module|imports?|logic|tests?|document|text|section|sections|lines?|fields|properties|styles|routes|everything|everything else|all else)";
const whole = "(?:the |this |your |of |rest |all |other |existing |original |previous |remaining )*";
const stays =
  "(?:(?:is|are|remains?|stays?|goes|kept|continues?) )?(?:the )?(?:unchanged|same|same as before|as before|as is|as-is|untouched|here|goes here|below|above|omitted|omitted for brevity|not shown|intact)";

/** Sentences that say by themselves that something is left out. */
const statements: readonly RegExp[] = [
  new RegExp(`^(?:the )?(?:rest|remainder) of (?:the|this|your) (?:existing |original |previous )?${thing}$`),
  new RegExp(`^(?:the )?(?:rest|remainder) of ${whole}${thing},? ${stays}$`),
  new RegExp(
    `^(?:existing|remaining|original|previous|other|the rest of the) (?:existing )?${thing},? ${stays}$`,
  ),
  new RegExp(`^(?:keep|leave) ${whole}${thing}(?: ${stays})?$`),
  new RegExp(
    `^${thing} (?:unchanged|remains? (?:the same|unchanged)|omitted(?: for brevity)?|same as before)$`,
  ),
  /^(?:everything|all) else (?:is |remains |stays )?(?:the same|unchanged|as before)$/,
  /^(?:omitted|unchanged) (?:for brevity|code|from (?:the )?(?:original|previous).{0,40})$/,
  /^no changes (?:here|below|above|needed here|to the rest.{0,40})$/,
];

/** Names of what is left out: headings of an honest file too, so they count only between dots or brackets. */
const names = new RegExp(
  `^(?:the |other )*(?:existing|remaining|unchanged|rest of|same as before|remains unchanged|omitted)(?: ${whole}(?:\\w+ ){0,3}${thing}(?:,? ${stays})?)?$`,
);

/** The text of a line that is nothing but one comment, in any of the usual languages. */
function commented(line: string): string | undefined {
  for (const [open, close] of comments) {
    if (line.startsWith(open) && line.endsWith(close) && line.length >= open.length + close.length) {
      return line.slice(open.length, line.length - close.length).trim();
    }
  }
  return undefined;
}

const comments: readonly (readonly [string, string])[] = [
  ["{/*", "*/}"],
  ["<!--", "-->"],
  ["/*", "*/"],
  ["///", ""],
  ["//", ""],
  ["#", ""],
  ["--", ""],
  [";;", ""],
  [";", ""],
  ["%", ""],
  ["*", ""],
];
