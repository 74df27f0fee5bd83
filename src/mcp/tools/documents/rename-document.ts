/** `rename_document`: moves a document or retitles a section; references follow. */
import { z } from "zod";
import { type Address, addressText, readAddress } from "../../../document/address.ts";
import { renameDocument as rename } from "../../../document/rename-document.ts";
import { changeSections } from "../../../document/section/change-sections.ts";
import { counted } from "../../../std/counted.ts";
import { type ToolContext, tool } from "../../tool.ts";

export const renameDocumentTool = tool({
  name: "rename_document",
  group: "documents",
  title: "Rename a document or section",
  description: "Moves a document or retitles a section; all references in all documents follow.",
  does: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({
    document: z.string().describe("/api/auth.md or /api/auth.md#slug"),
    to: z.string().describe("The new path; for a section its new title"),
  }),
  output: z.object({ document: z.string(), was: z.string(), rewritten: z.array(z.string()) }),
  async call({ document: given, to }, context) {
    const read = readAddress(given);
    if ("problem" in read) return { problems: [read.problem] };
    const { address } = read;
    const renamed = await (address.slug === undefined
      ? moved(address, to, context)
      : retitled(address, to, context));
    if ("problems" in renamed) return renamed;
    const { document, rewritten } = renamed;
    const followed =
      rewritten.length > 0 ? `; references followed in ${counted(rewritten.length, "document")}` : "";
    const was = addressText(address);
    return {
      data: { document, was, rewritten: [...rewritten] },
      // The name stays if the section's id is pinned, or if the new title gives the same slug.
      text: `${was === document ? `${was} has its new title and keeps its name` : `${was} is now ${document}`}${followed}`,
    };
  },
});

async function moved({ path }: Address, to: string, { store, author }: ToolContext) {
  const target = readAddress(to);
  if ("problem" in target) return { problems: [{ ...target.problem, field: "to" }] };
  if (target.address.slug !== undefined) {
    const message = "a document cannot become a section of another";
    const hint = "Give a path without #, or name the section to retitle in `document`.";
    return { problems: [{ code: "DOC_NOT_SECTION", message, hint, field: "to" }] };
  }
  const renamed = await rename(store, author, { path, to: target.address.path, tool: "rename_document" });
  return "problems" in renamed ? renamed : { document: target.address.path, rewritten: renamed.rewritten };
}

async function retitled({ path, slug }: Address, title: string, { store, author }: ToolContext) {
  const operations = [{ operation: "rename" as const, slug, title }];
  const changed = await changeSections(store, author, { path, operations, tool: "rename_document" });
  if ("problems" in changed) return changed;
  const now = changed.slugs[0];
  return {
    document: addressText({ path, ...(now !== undefined && { slug: now }) }),
    rewritten: changed.rewritten,
  };
}
