/** `start_coordinator_task`: returns the task in progress, or starts the next one; always with the Main-Workflow. */
import { z } from "zod";
import { assignmentData, assignmentText, workflowData } from "../../../task/answer/task-answer.ts";
import { startCoordinatorTask as start } from "../../../task/coordinator/start-coordinator-task.ts";
import { refused } from "../../../task/task-room.ts";
import { shownReferences } from "../../shown-parts.ts";
import { tool } from "../../tool.ts";
import { unlisted } from "../../tool-listing.ts";
import { sequentialProblem } from "../tool-problems.ts";
import { references, taskShape, workflow } from "./task-shapes.ts";

export const startCoordinatorTaskTool = tool({
  name: "start_coordinator_task",
  group: "tasks",
  title: "Start or resume the coordinator's task",
  description:
    "Returns your current task, or starts the next one, with Main-Workflow, Workflow and references. Call it first in a session and after a compaction.",
  does: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    take_over: z.boolean().optional().describe("From another client"),
    document: z.string().optional().meta(unlisted),
  }),
  output: z.object({
    task: taskShape,
    main_workflow: workflow,
    workflow: z.unknown().optional(),
    references,
  }),
  async call({ take_over: takeOver, document }, context) {
    if (document !== undefined) return refused(sequentialProblem(document));
    const started = await start(context, { takeOver });
    if ("problems" in started) return started;
    shownReferences(context, started.references);
    const { mainWorkflow } = started;
    return {
      data: { ...assignmentData(started), main_workflow: workflowData(mainWorkflow) },
      text: assignmentText(started, mainWorkflow),
    };
  },
});
