/** What `cox task` is handed besides the door; composed by `main.ts`. */
import type { TaskRoom } from "../task/task-room.ts";
import type { TurnAround } from "../world/turn-around.ts";

export interface TaskMeans {
  /** Who changes something, for the record. */
  readonly user: string;
  readonly turnAround: TurnAround | undefined;
  /** The words behind `cox`. */
  readonly typed: readonly string[];
  open(root: string): Pick<TaskRoom, "store" | "workflows" | "verify">;
}
