/** `create_document`: creates a document. */
import { z } from "zod";
import { readAddress } from "../../../document/address.ts";
import { createDocument as create } from "../../../document/create-document.ts";
import { shortHash } from "../../../document/document.ts";
import { tool } from "../../tool.ts";
import { sectionInsteadProblem } from "../tool-problems.ts";

export const createDocumentTool = tool({
  name: "create_document",
  group: "documents",
  title: "Create a document",
  description: "Creates a Markdown document. Never overwrites: to change one, use section.",
  does: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({
    document: z.string().describe("/api/auth.md"),
    title: z.string(),
    content: z.string().optional().describe("Markdown below the title"),
  }),
  output: z.object({
    document: z.string(),
    hash: z.string(),
    sections: z.array(z.string()),
    similar: z.array(z.string()),
  }),
  async call({ document: given, title, content = "" }, { store, author }) {
    const read = readAddress(given);
    if ("problem" in read) return { problems: [read.problem] };
    const { path, slug } = read.address;
    if (slug !== undefined)
      return { problems: [sectionInsteadProblem(given, "append_child adds a section")] };
    const made = await create(store, author, { path, title, content, tool: "create_document" });
    if ("problems" in made) return made;
    const { document, similar } = made;
    const hash = shortHash(document);
    const near = similar.length > 0 ? `\nThere is also ${similar.join(", ")}` : "";
    return {
      data: {
        document: path,
        hash,
        sections: document.sections.all.map((section) => section.slug),
        similar: [...similar],
      },
      text: `Created ${path} (hash ${hash})${near}`,
    };
  },
});
