/**
 * `complete_coordinator_task`: completes the current task with a note and starts the next; archives a finished list.
 */
import { z } from "zod";
import { completionData, completionMessage } from "../../../task/answer/completion-answer.ts";
import { assignmentData, assignmentText } from "../../../task/answer/task-answer.ts";
import {
  type CompletedCurrent,
  completeCoordinatorTask as complete,
} from "../../../task/coordinator/complete-coordinator-task.ts";
import { refused } from "../../../task/task-room.ts";
import { shownReferences } from "../../shown-parts.ts";
import { tool } from "../../tool.ts";
import { unlisted } from "../../tool-listing.ts";
import { sequentialProblem } from "../tool-problems.ts";
import { noteShape, references, taskShape } from "./task-shapes.ts";

export const completeCoordinatorTaskTool = tool({
  name: "complete_coordinator_task",
  group: "tasks",
  title: "Complete the coordinator's task",
  description:
    "Complete your current task with a note; returns the next one, started. After the last one the list is archived.",
  does: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({
    note: noteShape,
    task: z.string().optional().describe("Its slug, so that a retry is safe"),
    document: z.string().optional().meta(unlisted),
  }),
  output: z.object({
    task: taskShape,
    verified: z.boolean(),
    next_task: z.unknown().optional(),
    workflow: z.unknown().optional(),
    references: references.optional(),
    archived: z.boolean(),
    archived_to: z.string().optional(),
    message: z.string(),
  }),
  async call({ note, task: slug, document }, context) {
    if (document !== undefined) return refused(sequentialProblem(document));
    const done = await complete(context, { note, task: slug });
    if ("problems" in done) return done;
    const { next } = done;
    if (next) shownReferences(context, next.references);
    const message = messageOf(done);
    const { task: _, ...withNext } = next ? assignmentData(next) : { task: undefined };
    return {
      data: { ...completionData(done), ...withNext, message },
      text: next ? `${message}\n\n${assignmentText(next)}` : message,
    };
  },
});

function messageOf(done: CompletedCurrent): string {
  const { next, waiting, archivedTo } = done;
  const what = completionMessage(done);
  if (archivedTo !== undefined) {
    return `${what} All coordinator tasks complete. Session archived to ${archivedTo}.`;
  }
  if (waiting) return `${what} The next task could not be started: ${waiting.message}. ${waiting.hint}`;
  return next ? `${what} Next: #${next.task.slug}, now in progress.` : what;
}
