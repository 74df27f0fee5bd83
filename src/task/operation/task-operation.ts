/** One operation on the tasks of a document, as requested and as done; and what it is judged by. */
import type { Author } from "../../document/store.ts";
import type { HowTo } from "../how-to.ts";
import type { TaskState } from "../record/task-record.ts";
import type { Workflows } from "../workflow/workflows.ts";

export interface TaskOperation {
  readonly operation: "create" | "edit" | "note" | "list" | "clear";
  /** The slug of an existing task. */
  readonly slug?: string | undefined;
  readonly title?: string | undefined;
  readonly content?: string | undefined;
  readonly status?: "pending" | "blocked" | undefined;
  readonly note?: string | undefined;
}

export interface DoneOperation {
  readonly operation: "create" | "edit" | "note";
  readonly slug: string;
  readonly title: string;
  readonly status: TaskState;
}

export interface OperationRules {
  readonly workflows: Workflows;
  readonly how: HowTo;
  /** Who asks. */
  readonly author: Author;
}
