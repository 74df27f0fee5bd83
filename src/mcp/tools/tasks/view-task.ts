/** `view_task`: shows one task without starting anything. */
import { z } from "zod";
import { taskText } from "../../../task/answer/task-answer.ts";
import { viewTask as view } from "../../../task/work/view-task.ts";
import { shownPart } from "../../shown-parts.ts";
import { tool } from "../../tool.ts";
import { taskShape } from "./task-shapes.ts";

export const viewTaskTool = tool({
  name: "view_task",
  group: "tasks",
  title: "View a task",
  description: "Read one task with its status and notes, without starting it.",
  does: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    document: z.string().optional().describe("/path.md#slug; default: your current coordinator task"),
  }),
  output: z.object({ task: taskShape }),
  async call({ document }, context) {
    const seen = view(context, document);
    if ("problems" in seen) return seen;
    shownPart(context, seen.document);
    return { data: { task: seen }, text: taskText(seen) };
  },
});
