/**
 * Whether a disk error is the one that the run has already paused for. It was reported then, and is not reported again.
 */
import { DiskFailed } from "../durable/guard.ts";
import { isInTrouble, type State } from "../kernel/state.ts";
import { errnoOf } from "../world/files/errno.ts";

export function isReportedTrouble(state: State, error: unknown): boolean {
  return isInTrouble(state) && (error instanceof DiskFailed || errnoOf(error) !== undefined);
}
