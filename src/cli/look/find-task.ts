/** Finds the task of a run by its slug, as plans and people write it, with or without the `#`. */
import type { Refusal } from "../../kernel/command.ts";
import type { State, Task } from "../../kernel/state.ts";
import type { TaskId } from "../../plan/plan.ts";

export type FindTaskResult = { readonly task: Task } | Extract<Refusal, { refused: "unknown-task" }>;

export function findRunTask({ tasks }: Pick<State, "tasks">, wanted: string): FindTaskResult {
  const name = wanted.replace(/^#/, "");
  const task = tasks.get(name as TaskId) ?? [...tasks.values()].find(({ facts }) => facts.task_id === name);
  return task ? { task } : { refused: "unknown-task", task: name as TaskId, known: [...tasks.keys()] };
}
