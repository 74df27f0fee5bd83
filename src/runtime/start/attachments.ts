/**
 * The attachments of a run's tasks (workflows, documents), as stored in the run's folder. Many tasks share a workflow or
 * a document, so each text is stored once and referred to by its index.
 */
import type { TaskId } from "../../plan/plan.ts";
import { assert } from "../../std/assert.ts";
import { canonicalJson, type Json } from "../../std/canonical-json.ts";
import type { PromptAttachments } from "../../view/prompt/attachment-sections.ts";

export interface Attachments {
  readonly version: 1;
  readonly texts: readonly string[];
  readonly readings: readonly AttachedDocuments[];
  /** The tasks that have attachments. */
  readonly tasks: readonly TaskAttachments[];
}

/** A set of documents that several tasks may refer to. */
export interface AttachedDocuments extends Pick<PromptAttachments, "missing" | "leftOut"> {
  readonly references: readonly {
    readonly document: string;
    readonly text: number;
    readonly isCut: boolean;
  }[];
}

export interface TaskAttachments {
  readonly task: TaskId;
  readonly workflow?: KeptWorkflow;
  readonly mainWorkflow?: KeptWorkflow;
  readonly reading?: number;
}

export interface KeptWorkflow {
  readonly name: string;
  readonly text: number;
}

/** Undefined if no task has attachments. */
export function attachmentsText(attachments: Attachments): string | undefined {
  // This is plain data, but an interface type cannot express that.
  return attachments.tasks.length === 0 ? undefined : canonicalJson(attachments as unknown as Json);
}

/** Reads the stored text. */
export function readAttachments(kept: string): ReadonlyMap<TaskId, PromptAttachments> {
  const { texts, readings, tasks } = JSON.parse(kept) as Attachments;
  const textAt = (at: number): string => {
    const text = texts[at];
    assert(text !== undefined, "an attachment has a text");
    return text;
  };
  const workflowOf = ({ name, text }: KeptWorkflow) => ({ name, text: textAt(text) });
  const given = readings.map(({ references, ...named }) => ({
    ...named,
    references: references.map((one) => ({ ...one, text: textAt(one.text) })),
  }));
  return new Map(
    tasks.map(({ task, workflow, mainWorkflow, reading }) => [
      task,
      {
        ...(workflow && { workflow: workflowOf(workflow) }),
        ...(mainWorkflow && { mainWorkflow: workflowOf(mainWorkflow) }),
        ...(given[reading ?? -1] ?? noReading),
      },
    ]),
  );
}

const noReading = { references: [], missing: [], leftOut: [] };
