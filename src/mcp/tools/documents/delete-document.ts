/** `delete_document`: moves a document to the archive. */
import { z } from "zod";
import { readAddress } from "../../../document/address.ts";
import { deleteDocument as remove } from "../../../document/delete-document.ts";
import { tool } from "../../tool.ts";
import { sectionInsteadProblem } from "../tool-problems.ts";

export const deleteDocumentTool = tool({
  name: "delete_document",
  group: "documents",
  title: "Delete a document",
  description:
    "Moves a document to /archived/docs/, where view_document can still read it; reports what still refers to it.",
  does: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  input: z.strictObject({ document: z.string().describe("/api/auth.md") }),
  output: z.object({ document: z.string(), archived_to: z.string(), referred_by: z.array(z.string()) }),
  async call({ document: given }, { store, author }) {
    const read = readAddress(given);
    if ("problem" in read) return { problems: [read.problem] };
    const { path, slug } = read.address;
    if (slug !== undefined) return { problems: [sectionInsteadProblem(given, "remove takes a section out")] };
    const deleted = await remove(store, author, { path, tool: "delete_document" });
    if ("problems" in deleted) return deleted;
    const { archivedTo, referredBy } = deleted;
    const still = referredBy.length > 0 ? `\nStill referred to by ${referredBy.slice(0, 10).join(", ")}` : "";
    const more = referredBy.length > 10 ? ` and ${referredBy.length - 10} more` : "";
    return {
      data: { document: path, archived_to: archivedTo, referred_by: [...referredBy] },
      text: `Deleted ${path}; it is kept as ${archivedTo}${still}${more}`,
    };
  },
});
