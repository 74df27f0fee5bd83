/** Inserts, moves or removes a whole section. */
import { lineEndOf } from "../../plan/edit/splice.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { blockFor, insertBlock } from "../text/block.ts";
import { openAbove, readContent } from "./section-content.ts";
import {
  type DraftHeading,
  type DraftStep,
  type SectionDraft,
  stepped,
  type Target,
} from "./section-draft.ts";

export interface SectionTarget {
  readonly target: Target;
  readonly as: "insert_before" | "insert_after" | "append_child";
}

/** Without a title, the content must contain the heading, and may contain several. */
export function insertSection(
  draft: SectionDraft,
  where: SectionTarget,
  { title, content }: { readonly title: string | undefined; readonly content: string },
): DraftStep {
  const level = levelAt(draft, where);
  if (level > 6) return { problem: tooDeep(where.target) };
  const read = readContent(blockFor(draft.text, content), title === undefined ? level : level + 1);
  if ("problem" in read) return read;
  if (title === undefined && !(read.beginsWithHeading && read.heads[0]?.level === level)) {
    return { problem: noHeading(level) };
  }
  const heading = title === undefined ? "" : `${"#".repeat(level)} ${title}\n\n`;
  const block = blockFor(draft.text, heading + content);
  const heads = draft.newHeads([...(title === undefined ? [] : [{ title, level }]), ...read.heads]);
  return stepped(put(draft, where, { block, heads }), heads[0]?.id);
}

export function moveSection(draft: SectionDraft, { target, as }: SectionTarget, from: Target): DraftStep {
  const level = levelAt(draft, { target, as });
  const heads = draft.heads.slice(from.index, from.index + 1 + draft.countInside(from));
  const isInside = target.index >= from.index && target.index < from.index + heads.length;
  if (isInside) return { problem: cannotMove(from, "it cannot go beside or into itself") };
  if (from.level !== level) {
    return { problem: cannotMove(from, `it has level ${from.level}, and that place has level ${level}`) };
  }
  const block = draft.text.slice(from.whole.start, from.whole.end).trimEnd();
  const taken = removeSection(draft, from);
  if ("problem" in taken) return taken;
  const index = target.index > from.index ? target.index - heads.length : target.index;
  return stepped(put(draft, { target: draft.target(index), as }, { block, heads }), heads[0]?.id);
}

export function removeSection(draft: SectionDraft, target: Target): DraftStep {
  const { text, heads, sections } = draft;
  const { start, end } = target.whole;
  // Two paragraphs that meet would merge, and a title underlined between them would become part of the result.
  const meets = end < text.length && start > sections.begin && !isBehindBlank(text, start);
  const left = [
    ...heads.slice(0, target.index),
    ...heads.slice(target.index + 1 + draft.countInside(target)),
  ];
  const splice = { start, end, text: meets ? lineEndOf(text) : "" };
  return stepped(draft.step(splice, left), heads[target.index]?.id);
}

interface Put {
  readonly block: string;
  readonly heads: readonly DraftHeading[];
}

function put(draft: SectionDraft, { target, as }: SectionTarget, { block, heads }: Put): Problem | undefined {
  const { text, sections } = draft;
  const isBefore = as === "insert_before";
  const at = isBefore ? target.whole.start : target.whole.end;
  const index = isBefore ? target.index : target.index + 1 + draft.countInside(target);
  const splice = insertBlock(text, { at, begin: sections.begin, block });
  const all = [...draft.heads.slice(0, index), ...heads, ...draft.heads.slice(index)];
  return openAbove(text, sections.unclosed, at) ?? draft.step(splice, all);
}

/** A child gets the level of the last existing child. */
function levelAt(draft: SectionDraft, { target, as }: SectionTarget): number {
  if (as !== "append_child") return target.level;
  const inside = draft.sections.all.slice(target.index + 1, target.index + 1 + draft.countInside(target));
  const last = inside.findLast(({ parent }) => parent === target.slug);
  return last?.level ?? (target.index === -1 ? 2 : target.level + 1);
}

function isBehindBlank(text: string, at: number): boolean {
  return /\n[ \t]*\r?\n$/.test(text.slice(Math.max(0, at - 200), at));
}

function cannotMove({ title, level }: Target, why: string): Problem {
  return {
    code: "SECTION_MOVE",
    message: `${quote(title, 60)}: ${why}`,
    hint: `Name a place of level ${level} outside of it, or remove it and add it there with "title" and "content".`,
    field: "from",
  };
}

function tooDeep({ title, level }: Target): Problem {
  const message = `${quote(title, 60)} has level ${level}, and no heading goes deeper than 6`;
  return { code: "SECTION_LEVEL", message, hint: "Use append, or insert_after beside it.", field: "slug" };
}

function noHeading(level: number): Problem {
  return {
    code: "SECTION_NO_TITLE",
    message: "the new section has no heading",
    hint: `Give "title", or begin the content with a heading of level ${level} (${"#".repeat(level)}).`,
    field: "title",
  };
}
