/** `subagent_task`: creates, edits and lists the tasks of a document. */
import { z } from "zod";
import { operatedData, operatedText } from "../../../task/answer/task-answer.ts";
import { subagentTasks } from "../../../task/subagent/subagent-tasks.ts";
import { tool } from "../../tool.ts";
import { operatedShape, operations, sectionInsteadShape } from "./task-shapes.ts";

export const subagentTaskTool = tool({
  name: "subagent_task",
  group: "tasks",
  title: "Tasks of a document",
  description:
    "Create, edit, note on or list tasks of a document, to be done in any order. All operations or none.",
  does: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({ document: z.string().describe("/path.md"), operations }),
  output: operatedShape,
  instead: sectionInsteadShape,
  async call(given, context) {
    const done = await subagentTasks(context, given);
    return "problems" in done ? done : { data: operatedData(done), text: operatedText(done) };
  },
});
