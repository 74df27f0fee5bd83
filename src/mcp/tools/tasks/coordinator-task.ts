/** `coordinator_task`: creates, edits, lists and clears the coordinator's own tasks. */
import { z } from "zod";
import { operatedData, operatedText } from "../../../task/answer/task-answer.ts";
import { coordinatorTasks } from "../../../task/coordinator/coordinator-tasks.ts";
import { tool } from "../../tool.ts";
import { operatedShape, operations, sectionInsteadShape } from "./task-shapes.ts";

const operation = operations.element.extend({
  operation: z.enum(["create", "edit", "note", "list", "clear"]),
});

export const coordinatorTask = tool({
  name: "coordinator_task",
  group: "tasks",
  title: "The coordinator's list",
  description:
    "Your own sequential task list, instead of a todo list: it survives compaction. Create, edit, note on or list tasks, or clear completed ones to the archive. The first task needs the field Main-Workflow.",
  does: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({ operations: z.array(operation).min(1).max(1000) }),
  output: operatedShape,
  instead: sectionInsteadShape,
  async call({ operations }, context) {
    const done = await coordinatorTasks(context, operations);
    return "problems" in done ? done : { data: operatedData(done), text: operatedText(done) };
  },
});
