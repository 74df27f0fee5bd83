/** `search_documents`: finds sections by their words. */
import { z } from "zod";
import { readFolder } from "../../../document/address.ts";
import { whyNoFolder } from "../../../document/find-folder.ts";
import { searchDocuments as search, type Unsearched } from "../../../document/search/search-documents.ts";
import { readQuery } from "../../../document/search/words.ts";
import { counted } from "../../../std/counted.ts";
import { oneLine, quote } from "../../../std/printable.ts";
import type { Problem } from "../../../std/problem.ts";
import { tool } from "../../tool.ts";

export const searchDocumentsTool = tool({
  name: "search_documents",
  group: "documents",
  title: "Search documents",
  description: "Finds sections by their words, best first. The last word may be incomplete.",
  does: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    query: z.string().max(1_000),
    folder: z.string().optional().describe("Only below it: /api/"),
    limit: z.int().min(1).max(50).optional().describe("10 if not given"),
  }),
  output: z.object({
    results: z.array(
      z.object({ document: z.string(), title: z.string(), heading: z.string(), snippet: z.string() }),
    ),
    total: z.number(),
  }),
  async call({ query, folder = "/", limit = 10 }, { store, signal }) {
    const read = readFolder(folder);
    if ("problem" in read) return { problems: [read.problem] };
    if (readQuery(query).terms.length === 0) return { problems: [noWords(query)] };
    const { results, total, unsearched } = await search(store, query, { limit, below: read.folder, signal });
    const paths = total > 0 ? [] : (await store.listing()).map(({ path }) => path);
    const unknown = total > 0 ? undefined : whyNoFolder(paths, read.folder);
    if (unknown) return { problems: [unknown] };
    const lines = results.map(({ document, title, heading, snippet }) => {
      const head = heading === title ? title : `${title} › ${heading}`;
      return `${oneLine(document, 300)} (${oneLine(head, 200)}): ${snippet}`;
    });
    const found = `${counted(total, "section")} with ${quote(query, 60)}${total > results.length ? `, the best ${results.length}:` : ""}`;
    return {
      data: { results: [...results], total, ...dataOf(unsearched) },
      text: [found, ...lines, ...linesOf(unsearched)].join("\n"),
    };
  },
});

function noWords(query: string): Problem {
  return {
    code: "SEARCH_NO_WORDS",
    message: `the query ${quote(query, 60)} has no word`,
    hint: "Give one or more words, of letters or digits; browse_documents lists all documents.",
    field: "query",
  };
}

function dataOf({ inPart, unreadable }: Unsearched) {
  return {
    ...(inPart.length > 0 && { searched_in_part: [...inPart] }),
    ...(unreadable.length > 0 && { not_searched: [...unreadable] }),
  };
}

function linesOf({ inPart, unreadable, total }: Unsearched): string[] {
  const more = total - inPart.length - unreadable.length;
  const lines = [
    ...(inPart.length > 0
      ? [`Searched only in part, because the index is full: ${named(inPart)}. Read them with view_document.`]
      : []),
    ...(unreadable.length > 0
      ? [`Not searched, because they cannot be read: ${named(unreadable)}. view_document says why.`]
      : []),
  ];
  return more > 0 ? [...lines, `And ${more} more like these.`] : lines;
}

function named(paths: readonly string[]): string {
  return paths.map((path) => oneLine(path, 300)).join(", ");
}
