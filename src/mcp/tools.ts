/** Every tool there is, in the order in which clients are told of them. */
import { browseDocuments } from "./browse-documents.ts";
import { taskTools } from "./task-tools.ts";
import { type Tool, type ToolGroup, toolGroups } from "./tool.ts";

export const tools: readonly Tool[] = [...taskTools, browseDocuments];

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
