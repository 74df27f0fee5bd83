/** The operations on a section, and which arguments each needs. */
import { unreachable } from "../../std/assert.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { control, firstLoneSurrogate } from "../../std/unicode.ts";

export const sectionVerbs = [
  "replace",
  "replace_text",
  "append",
  "prepend",
  "insert_before",
  "insert_after",
  "append_child",
  "remove",
  "rename",
] as const;

export interface SectionOperation {
  readonly operation: (typeof sectionVerbs)[number];
  /** The section to operate on; without it, the whole document. */
  readonly slug?: string | undefined;
  readonly title?: string | undefined;
  /** Markdown: the text below the heading. */
  readonly content?: string | undefined;
  /** An existing section to move there, instead of creating one. */
  readonly from?: string | undefined;
}

/** Checks for missing, extra or invalid arguments, without looking at the document. */
export function unfitOperation(given: SectionOperation): Problem | undefined {
  const { operation, slug, title, content, from } = given;
  const has = {
    slug: slug !== undefined,
    title: title !== undefined,
    content: content !== undefined,
    from: from !== undefined,
  };
  const wrong =
    Object.entries(wantsOf(operation))
      .filter(
        ([name, requirement]) =>
          requirement !== "may" && has[name as keyof typeof has] !== (requirement === "must"),
      )
      .map(([name, requirement]) => ({ name, requirement }))[0] ??
    (has.from && (has.title || has.content) ? { name: "from", requirement: "alone" } : undefined);
  if (wrong) return argumentProblem(operation, wrong);
  if (needsWords.has(operation) && !has.title && !has.from && (content ?? "").trim() === "") {
    return {
      code: "SECTION_NO_TITLE",
      message: `${operation} was given no title`,
      hint: 'Give "title" (the heading, without #) and "content" (the text below it), or "from" to move a section there.',
      field: "title",
    };
  }
  return (
    (title === undefined ? undefined : unfitTitle(title)) ??
    (content === undefined ? undefined : unfitContent(content))
  );
}

export function unfitTitle(title: string): Problem | undefined {
  const why =
    title.trim() === ""
      ? "is empty"
      : title !== title.trim()
        ? "has blanks at its ends"
        : title.length > titleLengthMax
          ? `has ${title.length} characters, over ${titleLengthMax}`
          : control.test(title)
            ? "has a line end or another control character"
            : firstLoneSurrogate(title) !== -1
              ? "has half of a surrogate pair"
              : /^#{1,6}(\s|$)/.test(title)
                ? "begins with the # of a heading"
                : /(^|\s)#+$/.test(title)
                  ? "ends in a # that stands alone, which closes a heading and is not part of it"
                  : undefined;
  if (!why) return undefined;
  const hint = "Give one line of words without the # of a heading; the rest belongs in the content.";
  return { code: "SECTION_TITLE", message: `the title ${quote(title, 60)} ${why}`, hint, field: "title" };
}

export function unfitContent(content: string): Problem | undefined {
  const nul = content.indexOf("\0");
  const half = firstLoneSurrogate(content);
  if (nul === -1 && half === -1) return undefined;
  const what =
    nul === -1 ? `half of a surrogate pair at character ${half + 1}` : `a NUL at character ${nul + 1}`;
  return {
    code: "DOC_ILL_FORMED",
    message: `the content has ${what}, which is not text`,
    hint: "Leave it out.",
    field: "content",
  };
}

const titleLengthMax = 200;
const needsWords: ReadonlySet<string> = new Set(["insert_before", "insert_after", "append_child"]);

type FieldRule = "must" | "may" | "not";

function wantsOf(
  operation: SectionOperation["operation"],
): Record<"slug" | "title" | "content" | "from", FieldRule> {
  switch (operation) {
    case "replace":
    case "replace_text":
    case "append":
    case "prepend":
      return { slug: "may", title: "not", content: "must", from: "not" };
    case "append_child":
      return { slug: "may", title: "may", content: "may", from: "may" };
    case "insert_before":
    case "insert_after":
      return { slug: "must", title: "may", content: "may", from: "may" };
    case "remove":
      return { slug: "must", title: "not", content: "not", from: "not" };
    case "rename":
      return { slug: "must", title: "must", content: "not", from: "not" };
    default:
      return unreachable(operation);
  }
}

function argumentProblem(
  operation: string,
  { name, requirement }: { name: string; requirement: string },
): Problem {
  const message =
    requirement === "must"
      ? `${operation} needs "${name}"`
      : requirement === "alone"
        ? `${operation} moves a section ("from") or makes one ("title", "content"), not both`
        : `${operation} takes no "${name}"`;
  const hint =
    requirement === "must"
      ? (hints[name] ?? `Give "${name}".`)
      : name === "title"
        ? 'Leave it out; "rename" changes a title.'
        : "Leave it out, or use the operation that takes it.";
  return { code: "SECTION_ARGUMENT", message, hint, field: name };
}

const hints: Readonly<Record<string, string>> = {
  slug: "Name the section by its slug; view_document shows the slugs. To remove a whole document, use delete_document.",
  content: 'Give "content": Markdown, without the heading.',
  title: 'Give "title": the new words of the heading, without #.',
};
