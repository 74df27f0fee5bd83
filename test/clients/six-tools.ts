/**
 * What the scripted model does in every client: a coordinator's list from its first task to the archive, then one
 * task of a document. All six task tools, by their own names: each client puts something else before them.
 */
import type { ModelStep } from "../../src/model-server/script.ts";
import {
  coordinatorNotes,
  coordinatorOperations,
  subagentDocument,
  subagentNote,
  subagentOperations,
} from "../mcp/scenarios.ts";

const signing = `${subagentDocument}#implement-jwt-signing`;

export const sixTools: readonly ModelStep[] = [
  { tool: "coordinator_task", input: { operations: coordinatorOperations } },
  { tool: "start_coordinator_task" },
  { tool: "start_coordinator_task" },
  ...coordinatorNotes.map((note): ModelStep => ({ tool: "complete_coordinator_task", input: { note } })),
  { tool: "subagent_task", input: { document: subagentDocument, operations: subagentOperations } },
  { tool: "start_subagent_task", input: { document: signing } },
  { tool: "complete_subagent_task", input: { document: signing, note: subagentNote } },
  { text: "All six tools were called." },
];
