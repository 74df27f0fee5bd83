/** Rejects replacing or removing a section that somebody changed since the caller last saw or wrote it. */
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { addressText } from "../address.ts";
import { type Document, shortHash } from "../document.ts";
import { findPart } from "../find-document.ts";
import type { SeenDocuments } from "../seen-documents.ts";
import { SectionDraft } from "./section-draft.ts";
import type { SectionOperation } from "./section-operation.ts";

export function unseenChange(
  document: Document,
  { operations, seen }: { readonly operations: readonly SectionOperation[]; readonly seen: SeenDocuments },
): Problem | undefined {
  for (const [index, { operation, slug }] of operations.entries()) {
    const isTextOnly = operation === "replace_text";
    if (operation !== "replace" && operation !== "remove" && !isTextOnly) continue;
    const whole = wholeOf(document, slug);
    if (whole && seen.isChanged(document, { whole, isTextOnly })) {
      return changed(document, { index, ...(slug !== undefined && { slug }), whole });
    }
  }
  return undefined;
}

/** Undefined if an earlier operation makes the section. */
function wholeOf(document: Document, slug: string | undefined) {
  if (slug === undefined) return new SectionDraft(document.text, document.sections).whole().whole;
  const found = findPart(document, slug);
  return "part" in found ? found.part.whole : undefined;
}

function changed(
  document: Document,
  { index, slug, whole }: { index: number; slug?: string; whole: { start: number; end: number } },
): Problem {
  const { path } = document;
  const name = oneLine(addressText({ path, ...(slug !== undefined && { slug }) }), 300);
  const now = document.slice(whole.start, Math.min(whole.end, whole.start + shownMax));
  return {
    code: "SECTION_CHANGED",
    path,
    message: `operation ${index + 1}: somebody changed ${name} since you saw it; now it is ${quote(now.trim(), shownMax)}`,
    hint: `Read it again (view_document ${name}) and decide on what it says now. To overwrite it without reading, give "hash": "${shortHash(document)}".`,
    index,
    field: `operations[${index}].slug`,
  };
}

const shownMax = 400;
