/** `view_task`: one task as it stands; nothing is started. */
import { z } from "zod";
import { viewTask as view } from "../task/view-task.ts";
import { shownPart } from "./shown-parts.ts";
import { taskText } from "./task-answer.ts";
import { task } from "./task-shapes.ts";
import { tool } from "./tool.ts";

export const viewTask = tool({
  name: "view_task",
  group: "tasks",
  title: "View a task",
  description: "Read one task with its status and notes, without starting it.",
  does: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    document: z.string().optional().describe("/path.md#slug; default: your current coordinator task"),
  }),
  output: z.object({ task }),
  async call({ document }, context) {
    const seen = view(context, document);
    if ("problems" in seen) return seen;
    shownPart(context, seen.document);
    return { data: { task: seen }, text: taskText(seen) };
  },
});
