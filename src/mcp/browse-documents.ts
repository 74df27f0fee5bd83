/** `browse_documents`: which documents there are. */
import { z } from "zod";
import { tool } from "./tool.ts";

export const browseDocuments = tool({
  name: "browse_documents",
  group: "documents",
  title: "Browse documents",
  description: "Lists the documents under docs/.",
  does: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({ path: z.string().optional().describe("Only below this folder") }),
  output: z.object({ documents: z.array(z.object({ path: z.string(), size: z.number() })) }),
  async call({ path = "/" }, { store }) {
    const documents = store.list().filter((one) => one.path.startsWith(path));
    return {
      data: { documents: documents.map((one) => ({ path: one.path, size: one.size })) },
      text: documents.map((one) => one.path).join("\n") || "no documents",
    };
  },
});
