/** What the tools about tasks take and give. Answers may hold more than is told of here: every client pays for each word. */
import { z } from "zod";

export const operations = z
  .array(
    z.strictObject({
      operation: z.enum(["create", "edit", "note", "list"]),
      slug: z.string().optional(),
      title: z.string().optional(),
      content: z.string().optional().describe("Markdown: fields (- Status: pending), then text"),
      status: z.enum(["pending", "blocked"]).optional().describe("edit: reopen or block"),
      note: z.string().optional(),
    }),
  )
  .min(1)
  .max(1000);

/** What is done to tasks as to any section. */
export const sectionInstead: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["delete", "remove"].map((word) => [
      word,
      'A task is removed like any section: call section with document and operations [{"operation": "remove", "slug": "SLUG"}].',
    ]),
  ),
  ...Object.fromEntries(
    ["insert", "insert_before", "insert_after", "add", "append", "move"].map((word) => [
      word,
      'create adds a task at the end. For another place call section with document and operations [{"operation": "insert_before", "slug": "SLUG", "title": "TITLE", "content": "- Status: pending"}], or with "from": "OTHER-SLUG" to move one there.',
    ]),
  ),
  ...Object.fromEntries(
    ["start", "complete", "done"].map((word) => [
      word,
      "That is a tool of its own: start_coordinator_task and complete_coordinator_task, or start_subagent_task and complete_subagent_task.",
    ]),
  ),
};

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
