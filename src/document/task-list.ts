/** The tasks of a document, in its order, found by slug. */
import { parsePlan } from "../plan/parse.ts";
import type { Task } from "../plan/plan.ts";
import type { Splice } from "../plan/splice.ts";

export class TaskList {
  readonly #bySlug: ReadonlyMap<string, Task>;

  private constructor(readonly tasks: readonly Task[]) {
    this.#bySlug = new Map(tasks.map((task) => [task.id, task]));
  }

  static read(text: string): TaskList {
    return new TaskList(parsePlan(text).plan.tasks);
  }

  find(slug: string): Task | undefined {
    return this.#bySlug.get(slug);
  }

  /** The list as it is after an edit; nothing when the document must be read anew. */
  spliced(_splices: readonly Splice[], _after: string): TaskList | undefined {
    return undefined;
  }
}
