/**
 * The input and output of the task tools. Answers may contain more than is declared here, since every client pays for
 * each word.
 */
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

/** Actions on tasks that other tools do, mostly `section`. */
export const sectionInsteadShape: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["delete", "remove"].map((word) => [
      word,
      'To remove a task, call section with document and operations [{"operation": "remove", "slug": "SLUG"}].',
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
      "Use the tools for that: start_coordinator_task and complete_coordinator_task, or start_subagent_task and complete_subagent_task.",
    ]),
  ),
};

export const noteShape = z.string().describe("What was done, decided and found");

export const taskShape = z.object({ slug: z.string() });
export const workflow = z.object({ text: z.string() });
export const references = z.array(z.unknown());

/** The result of operations. */
export const operatedShape = z.object({
  results: z.array(z.unknown()),
  tasks: z.array(z.unknown()).optional(),
  message: z.string(),
});
