/** `view_document`: shows a document, or one part of it, page by page, or its outline. */
import { z } from "zod";
import { readAddress } from "../../../document/address.ts";
import { titleOf } from "../../../document/card.ts";
import { shortHash } from "../../../document/document.ts";
import { findDocument, findPart } from "../../../document/find-document.ts";
import { pageOf } from "../../../task/page.ts";
import { tool } from "../../tool.ts";
import { beyondEndProblem } from "../tool-problems.ts";

export const viewDocument = tool({
  name: "view_document",
  group: "documents",
  title: "View a document",
  description:
    "Reads a document, or one section or task of it, with its tasks and their status. Long ones come in pages.",
  does: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    document: z.string().describe("/api/auth.md or /api/auth.md#slug"),
    outline: z.boolean().optional().describe("Only headings and tasks with their slugs"),
    from: z.int().min(0).max(1e9).optional().describe("`next` of the page before"),
  }),
  output: z.object({
    document: z.string(),
    title: z.string(),
    hash: z.string(),
    text: z.string().optional(),
    sections: z.array(z.unknown()),
    tasks: z.array(z.unknown()),
    next: z.number().optional(),
  }),
  async call({ document: given, outline: isOutline = false, from }, { store, seen }) {
    const read = readAddress(given);
    if ("problem" in read) return { problems: [read.problem] };
    const { path, slug } = read.address;
    const found = findDocument(store, path);
    if ("problem" in found) return { problems: [found.problem] };
    const { document } = found;
    const part = slug === undefined ? undefined : findPart(document, slug);
    if (part && "problem" in part) return { problems: [part.problem] };
    const within = part?.part.whole ?? { start: 0, end: document.length };
    if (from !== undefined && from >= within.end && from > within.start) {
      const why = `${part ? "the section" : "the document"} ends at ${within.end}`;
      return { problems: [beyondEndProblem(from, why)] };
    }
    const { outline, ...page } = pageOf(document, { within, isOutline, ...(from !== undefined && { from }) });
    if (!isOutline) seen.shown(document, { start: from ?? within.start, end: page.next ?? within.end });
    const hash = shortHash(document);
    const title = part?.part.title ?? titleOf(document);
    const name = part ? `${path}#${part.part.slug}` : path;
    const more = page.next === undefined ? [] : [`(goes on: from ${page.next})`];
    return {
      data: { document: name, title, hash, ...page, sections: [...page.sections], tasks: [...page.tasks] },
      text: [`${name} (hash ${hash})`, ...(isOutline ? outline : [page.text ?? ""]), ...more].join("\n"),
    };
  },
});
