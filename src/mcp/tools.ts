/** All tools, in the order in which clients see them. */

import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { type Tool, type ToolGroup, toolGroups } from "./tool.ts";
import { answerQuestion } from "./tools/answer-question.ts";
import { applyFileOperations } from "./tools/apply-file-operations.ts";
import { browseDocuments } from "./tools/browse-documents.ts";
import { completeCoordinatorTaskTool } from "./tools/complete-coordinator-task.ts";
import { completeSubagentTask } from "./tools/complete-subagent-task.ts";
import { confirmOperation } from "./tools/confirm-operation.ts";
import { coordinatorTask } from "./tools/coordinator-task.ts";
import { createDocumentTool } from "./tools/create-document.ts";
import { deleteDocumentTool } from "./tools/delete-document.ts";
import { renameDocumentTool } from "./tools/rename-document.ts";
import { runStatus } from "./tools/run-status.ts";
import { searchDocumentsTool } from "./tools/search-documents.ts";
import { section } from "./tools/section.ts";
import { startCoordinatorTaskTool } from "./tools/start-coordinator-task.ts";
import { startSubagentTask } from "./tools/start-subagent-task.ts";
import { subagentTaskTool } from "./tools/subagent-task.ts";
import { viewDocument } from "./tools/view-document.ts";
import { viewTaskTool } from "./tools/view-task.ts";

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
