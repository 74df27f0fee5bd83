/** `start_subagent_task`: starts one task of a document, and returns it with its workflow and what it refers to. */
import { z } from "zod";
import { assignmentData, assignmentText } from "../../../task/answer/task-answer.ts";
import { subagentTask } from "../../../task/subagent/subagent-address.ts";
import { refused } from "../../../task/task-room.ts";
import { startTask } from "../../../task/work/start-task.ts";
import { shownReferences } from "../../shown-parts.ts";
import { tool } from "../../tool.ts";
import { references, taskShape, workflow } from "./task-shapes.ts";

export const startSubagentTask = tool({
  name: "start_subagent_task",
  group: "tasks",
  title: "Start a task of a document",
  description: "Take one task of a document. Returns it with its Workflow and referenced documents.",
  does: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    document: z.string().describe("/path.md#slug"),
    take_over: z.boolean().optional().describe("From another client"),
  }),
  output: z.object({ task: taskShape, workflow: workflow.optional(), references }),
  async call({ document, take_over: takeOver }, context) {
    const read = subagentTask(document);
    if ("problem" in read) return refused(read.problem);
    const started = await startTask(context, { ...read, takeOver });
    if ("problems" in started) return started;
    shownReferences(context, started.references);
    return { data: assignmentData(started), text: assignmentText(started) };
  },
});
