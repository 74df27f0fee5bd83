/** The tools about tasks, in the order in which clients are told of them. */
import { completeCoordinatorTask } from "./complete-coordinator-task.ts";
import { completeSubagentTask } from "./complete-subagent-task.ts";
import { coordinatorTask } from "./coordinator-task.ts";
import { startCoordinatorTask } from "./start-coordinator-task.ts";
import { startSubagentTask } from "./start-subagent-task.ts";
import { subagentTask } from "./subagent-task.ts";
import type { Tool } from "./tool.ts";
import { viewTask } from "./view-task.ts";

export const taskTools: readonly Tool[] = [
  coordinatorTask,
  startCoordinatorTask,
  completeCoordinatorTask,
  subagentTask,
  startSubagentTask,
  completeSubagentTask,
  viewTask,
];
