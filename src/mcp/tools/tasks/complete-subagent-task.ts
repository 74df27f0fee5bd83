/**
 * `complete_subagent_task`: completes a task with a note, after its verify commands, if any, have passed.
 */
import { z } from "zod";
import { completionMessage } from "../../../task/answer/completion-answer.ts";
import { subagentTask } from "../../../task/subagent/subagent-address.ts";
import { refused } from "../../../task/task-room.ts";
import { completeTask } from "../../../task/work/complete-task.ts";
import { tool } from "../../tool.ts";
import { noteShape, taskShape } from "./task-shapes.ts";

export const completeSubagentTask = tool({
  name: "complete_subagent_task",
  group: "tasks",
  title: "Complete a task of a document",
  description: "Complete a task of a document with a note. Its Verify commands, if any, must pass.",
  does: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({ document: z.string().describe("/path.md#slug"), note: noteShape }),
  output: z.object({ task: taskShape, verified: z.boolean(), message: z.string() }),
  async call({ document, note }, context) {
    const read = subagentTask(document);
    if ("problem" in read) return refused(read.problem);
    const done = await completeTask(context, { ...read, note });
    if ("problems" in done) return done;
    const message = completionMessage(done);
    return { data: { task: done.task, verified: done.task.verified === true, message }, text: message };
  },
});
