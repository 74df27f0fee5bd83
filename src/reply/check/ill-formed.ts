/** Finds every string in a parsed value that cannot be written as UTF-8. Parsed values are at most 64 levels deep. */
import type { Problem } from "../../std/problem.ts";
import { firstLoneSurrogate } from "../../std/unicode.ts";
import { fieldName, fieldNameOf, type IssueSubject } from "./issue.ts";

export function* findIllFormed(
  value: unknown,
  path: readonly PropertyKey[],
  subject: IssueSubject,
): Generator<Problem> {
  if (typeof value === "string") {
    const at = firstLoneSurrogate(value);
    if (at === -1) return;
    const field = fieldName(path);
    const unit = value.charCodeAt(at).toString(16);
    yield {
      code: "CONTENT_ILL_FORMED",
      message: `${fieldNameOf(subject, field)} holds half a character (lone surrogate \\u${unit}) at offset ${at}: no file can hold it`,
      hint: "Write the character itself, or both halves of its escape, for example \\ud83d\\ude00.",
      ...(subject.index !== undefined && { index: subject.index }),
      field,
    };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* findIllFormed(item, [...path, index], subject);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* findIllFormed(item, [...path, key], subject);
  }
}
