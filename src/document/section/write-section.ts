/**
 * Changes the text of a section. `replace` replaces everything below its heading; `replace_text` only the text before
 * its first sub-section; `append` and `prepend` add to that text.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { blockFor, filledLines, insertBlock } from "../text/block.ts";
import { openAbove, readContent, withoutHeading } from "./section-content.ts";
import { type DraftStep, type SectionDraft, stepped, type Target } from "./section-draft.ts";

export interface SectionWrite {
  readonly target: Target;
  readonly how: "replace" | "replace_text" | "append" | "prepend";
  readonly content: string;
}

export function writeSection(draft: SectionDraft, { target, how, content }: SectionWrite): DraftStep {
  const { text, heads, sections } = draft;
  const isReplaced = how === "replace" || how === "replace_text";
  const block = blockFor(text, isReplaced ? withoutHeading(content, target) : content);
  const read = readContent(block, target.level + 1);
  if ("problem" in read) return read;
  const [heading] = read.heads;
  if (how === "replace_text" && heading) return { problem: onlyText(heading) };
  const first = target.index + 1;
  const last = how === "replace" ? first + draft.countInside(target) : first;
  const before = heads.slice(0, first);
  const added = draft.newHeads(read.heads);
  const id = heads[target.index]?.id;
  const span = { start: target.below, end: how === "replace" ? target.whole.end : target.ownEnd };
  const filled = filledLines(text, span);
  if (isReplaced && filled) {
    const splice =
      block === "" ? { start: filled.start, end: span.end, text: "" } : { ...filled, text: block };
    return stepped(draft.step(splice, [...before, ...added, ...heads.slice(last)]), id);
  }
  if (block === "") return { id };
  const end = filled ? lineBehind(text, filled.end) : target.below;
  const at = how === "prepend" && filled ? filled.start : end;
  const splice = insertBlock(text, { at, begin: sections.begin, block });
  const problem =
    openAbove(text, sections.unclosed, at) ??
    draft.step(splice, [...before, ...added, ...heads.slice(first)]);
  return stepped(problem, id);
}

function onlyText({ title }: { readonly title: string }): Problem {
  return {
    code: "SECTION_LEVEL",
    message: `replace_text writes only the text before the sub-sections, but the content has the heading ${quote(title, 60)}`,
    hint: "Leave headings out; append_child adds a sub-section, replace with a slug writes a section with all its sub-sections.",
    field: "content",
  };
}

function lineBehind(text: string, at: number): number {
  const feed = text.indexOf("\n", at);
  return feed === -1 ? text.length : feed + 1;
}
