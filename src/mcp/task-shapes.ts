/** What the tools about tasks take and give. Answers may hold more than is told of here: every client pays for each word. */
import { z } from "zod";

export const operations = z
  .array(
    z.strictObject({
      operation: z.enum(["create", "edit", "list"]),
      slug: z.string().optional().describe("edit: the task"),
      title: z.string().optional(),
      content: z.string().optional().describe("Markdown: fields (- Status: pending), then text"),
      status: z.enum(["pending", "blocked"]).optional().describe("edit: reopen or block"),
    }),
  )
  .min(1)
  .max(1000);

export const note = z.string().describe("What was done, decided and found");

export const task = z.object({ slug: z.string() });
export const workflow = z.object({ text: z.string() });
export const references = z.array(z.unknown());

/** What became of operations. */
export const operated = z.object({
  results: z.array(z.unknown()),
  tasks: z.array(z.unknown()).optional(),
  message: z.string(),
});
