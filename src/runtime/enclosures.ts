/**
 * What goes with the tasks of a run (workflows, documents), as it is kept in the run's folder. Many tasks follow one
 * workflow and refer to one document: each text is there once, and named by its place in the list.
 */
import type { TaskId } from "../plan/plan.ts";
import { assert } from "../std/assert.ts";
import { canonicalJson, type Json } from "../std/canonical-json.ts";
import type { Enclosed } from "../view/enclosed.ts";

export interface Enclosures {
  readonly version: 1;
  readonly texts: readonly string[];
  readonly readings: readonly Reading[];
  /** Those that anything goes with. */
  readonly tasks: readonly TaskEnclosure[];
}

/** The documents that several tasks may refer to, together. */
export interface Reading extends Pick<Enclosed, "missing" | "leftOut"> {
  readonly references: readonly {
    readonly document: string;
    readonly text: number;
    readonly isCut: boolean;
  }[];
}

export interface TaskEnclosure {
  readonly task: TaskId;
  readonly workflow?: KeptWorkflow;
  readonly mainWorkflow?: KeptWorkflow;
  readonly reading?: number;
}

export interface KeptWorkflow {
  readonly name: string;
  readonly text: number;
}

/** Nothing where nothing goes with any task. */
export function enclosuresText(enclosures: Enclosures): string | undefined {
  // Plain data, though the type of an interface cannot say so.
  return enclosures.tasks.length === 0 ? undefined : canonicalJson(enclosures as unknown as Json);
}

/** From the text that was kept. */
export function readEnclosures(kept: string): ReadonlyMap<TaskId, Enclosed> {
  const { texts, readings, tasks } = JSON.parse(kept) as Enclosures;
  const textAt = (at: number): string => {
    const text = texts[at];
    assert(text !== undefined, "what is enclosed has a text");
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
