/** What `cox task` receives besides the command context; composed by `main.ts`. */
import type { TaskRoom } from "../../task/task-room.ts";
import type { EnclosingTurn } from "../../world/processes/enclosing-turn.ts";

export interface TaskPorts {
  /** The user's name, recorded with each change. */
  readonly user: string;
  readonly enclosingTurn: EnclosingTurn | undefined;
  /** The words typed after `cox`. */
  readonly typed: readonly string[];
  open(root: string): Pick<TaskRoom, "store" | "workflows" | "verify">;
}
