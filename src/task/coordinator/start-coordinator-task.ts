/**
 * Hands out the coordinator's task in progress, or else the next one in order, together with the Main-Workflow. This is
 * how a new session, or one after a compaction, picks up the work.
 */

import { activeList } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import type { Library } from "../../document/store.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { type HowTo, howTo } from "../how-to.ts";
import {
  assignmentOf,
  type RefusedTask,
  refused,
  type TakenTask,
  type TaskAssignment,
  type TaskRoom,
} from "../task-room.ts";
import { decisionOf, takeTask } from "../work/start-task.ts";
import type { Workflow, Workflows } from "../workflow/workflows.ts";
import { currentTask, mainWorkflowNames, mainWorkflowOf, nextTask } from "./coordinator-list.ts";

type WithMain<Of> = Of & { readonly mainWorkflow: Workflow };

export type CoordinatorAssignment = WithMain<TaskAssignment>;

export async function startCoordinatorTask(
  room: TaskRoom,
  { takeOver }: { readonly takeOver?: boolean | undefined } = {},
): Promise<CoordinatorAssignment | RefusedTask> {
  const { store, author, workflows } = room;
  const how = howTo(author, activeList);
  const taken = await store.change<WithMain<TakenTask> | RefusedTask>(author, (now) => {
    const list = openList(now, how);
    if ("problem" in list) return { answer: refused(list.problem) };
    const { document } = list;
    const task = currentTask(document.tasks) ?? nextTask(document.tasks);
    if (!task) return { answer: refused(allDone(how)) };
    const main = workflows.find("main-workflow", mainWorkflowOf(document.tasks, task) ?? "");
    if ("problem" in main) return { answer: refused(noMain(document, main.problem, { workflows, how })) };
    const took = takeTask(document, task, { author, how, takeOver, workflows, at: now.at });
    if ("problem" in took) return { answer: refused(took.problem) };
    const decision = decisionOf(took, how.start);
    return { ...decision, answer: { ...decision.answer, mainWorkflow: main.workflow } };
  });
  if ("problems" in taken) return taken;
  if (room.session) room.session.given = taken.task.id;
  return { ...assignmentOf(room, taken), mainWorkflow: taken.mainWorkflow };
}

/** The list, if there is one with tasks. */
export function openList(
  library: Library,
  how: HowTo,
): { readonly document: Document } | { readonly problem: Problem } {
  const { document, problem } = library.read(activeList);
  if (problem) return { problem };
  if (document && document.tasks.size > 0) return { document };
  return {
    problem: {
      code: "NO_COORDINATOR_TASKS",
      path: activeList,
      message: "there are no coordinator tasks",
      hint: `To make a list, ${how.toCreate(activeList)}; its first task needs a Main-Workflow.`,
    },
  };
}

function allDone(how: HowTo): Problem {
  return {
    code: "NO_TASK_LEFT",
    path: activeList,
    message: "every task of the coordinator's list is completed",
    hint: `To continue, ${how.toCreate(activeList)}; the operation clear archives what is done.`,
  };
}

function noMain(
  { tasks }: Document,
  problem: Problem,
  { workflows, how }: { readonly workflows: Workflows; readonly how: HowTo },
): Problem {
  const first = tasks.at(0);
  const isNamed = first !== undefined && mainWorkflowOf(tasks, first) !== undefined;
  if (isNamed || !first) return problem;
  const edit = how.toEdit({ path: activeList, slug: first.id }, "content with - Main-Workflow: NAME");
  return {
    code: "MAIN_WORKFLOW_MISSING",
    path: activeList,
    message: `First coordinator task MUST have Main-Workflow field; #${oneLine(first.id, 100)} has none, nor has any other`,
    hint: `To give it one, ${edit}.${mainWorkflowNames(workflows)}`,
  };
}
