/** All tools, in the order in which clients see them. */

import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { type Tool, type ToolGroup, toolGroups } from "./tool.ts";
import { browseDocuments } from "./tools/documents/browse-documents.ts";
import { createDocumentTool } from "./tools/documents/create-document.ts";
import { deleteDocumentTool } from "./tools/documents/delete-document.ts";
import { renameDocumentTool } from "./tools/documents/rename-document.ts";
import { searchDocumentsTool } from "./tools/documents/search-documents.ts";
import { section } from "./tools/documents/section.ts";
import { viewDocument } from "./tools/documents/view-document.ts";
import { applyFileOperations } from "./tools/files/apply-file-operations.ts";
import { answerQuestion } from "./tools/run/answer-question.ts";
import { confirmOperation } from "./tools/run/confirm-operation.ts";
import { runStatus } from "./tools/run/run-status.ts";
import { completeCoordinatorTaskTool } from "./tools/tasks/complete-coordinator-task.ts";
import { completeSubagentTask } from "./tools/tasks/complete-subagent-task.ts";
import { coordinatorTask } from "./tools/tasks/coordinator-task.ts";
import { startCoordinatorTaskTool } from "./tools/tasks/start-coordinator-task.ts";
import { startSubagentTask } from "./tools/tasks/start-subagent-task.ts";
import { subagentTaskTool } from "./tools/tasks/subagent-task.ts";
import { viewTaskTool } from "./tools/tasks/view-task.ts";

const tools: readonly Tool[] = [
  coordinatorTask,
  startCoordinatorTaskTool,
  completeCoordinatorTaskTool,
  subagentTaskTool,
  startSubagentTask,
  completeSubagentTask,
  viewTaskTool,
  viewDocument,
  browseDocuments,
  searchDocumentsTool,
  section,
  createDocumentTool,
  renameDocumentTool,
  deleteDocumentTool,
  applyFileOperations,
  runStatus,
  answerQuestion,
  confirmOperation,
];

/** The default groups; the run tools are only for those who have a run. */
const usualGroups: readonly ToolGroup[] = ["tasks", "documents", "files"];

export function toolsOf(groups: readonly ToolGroup[]): readonly Tool[] {
  return tools.filter(({ group }) => groups.includes(group));
}

/** `tasks,documents` → the groups; nothing → the usual ones. */
export function readGroups(
  text: string | undefined,
): { readonly groups: readonly ToolGroup[] } | { readonly problem: Problem } {
  if (text === undefined) return { groups: usualGroups };
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !toolGroups.some((group) => group === word));
  return unknown === undefined ? { groups: words as ToolGroup[] } : { problem: unknownGroup(unknown) };
}

function unknownGroup(word: string): Problem {
  return {
    code: "USAGE",
    message: `there is no group of tools ${quote(word, 40)}`,
    hint: `Name some of ${toolGroups.join(", ")}: --tools ${usualGroups.join(",")}`,
  };
}
