/** Every tool there is, in the order in which clients are told of them. */
import { answerQuestion } from "./answer-question.ts";
import { applyFileOperations } from "./apply-file-operations.ts";
import { browseDocuments } from "./browse-documents.ts";
import { completeCoordinatorTask } from "./complete-coordinator-task.ts";
import { completeSubagentTask } from "./complete-subagent-task.ts";
import { confirmOperation } from "./confirm-operation.ts";
import { coordinatorTask } from "./coordinator-task.ts";
import { createDocument } from "./create-document.ts";
import { deleteDocument } from "./delete-document.ts";
import { renameDocument } from "./rename-document.ts";
import { runStatus } from "./run-status.ts";
import { searchDocuments } from "./search-documents.ts";
import { section } from "./section.ts";
import { startCoordinatorTask } from "./start-coordinator-task.ts";
import { startSubagentTask } from "./start-subagent-task.ts";
import { subagentTask } from "./subagent-task.ts";
import { type Tool, type ToolGroup, toolGroups } from "./tool.ts";
import { viewDocument } from "./view-document.ts";
import { viewTask } from "./view-task.ts";

const tools: readonly Tool[] = [
  coordinatorTask,
  startCoordinatorTask,
  completeCoordinatorTask,
  subagentTask,
  startSubagentTask,
  completeSubagentTask,
  viewTask,
  viewDocument,
  browseDocuments,
  searchDocuments,
  section,
  createDocument,
  renameDocument,
  deleteDocument,
  applyFileOperations,
  runStatus,
  answerQuestion,
  confirmOperation,
];

/** Those a client is offered when nobody says otherwise: what a run needs is left to those who have one. */
export const usualGroups: readonly ToolGroup[] = ["tasks", "documents", "files"];

export function toolsOf(groups: readonly ToolGroup[]): readonly Tool[] {
  return tools.filter(({ group }) => groups.includes(group));
}

/** `tasks,documents` → the groups, or the word that is none. */
export function readGroups(
  text: string,
): { readonly groups: readonly ToolGroup[] } | { readonly unknown: string } {
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !toolGroups.some((group) => group === word));
  return unknown === undefined ? { groups: words as ToolGroup[] } : { unknown };
}
