/** Where a turn may write: its scratch folder, and its desk unless it judges or only proposes. */
import type { Confinement } from "../world/processes.ts";
import type { TurnRequest } from "./driver.ts";

/** Who judges changes nothing, and who proposes neither. */
export function isReadOnly({ role, way }: Pick<TurnRequest, "role" | "way">): boolean {
  return role !== "developer" || way === "proposal";
}

export function confinementOf(turn: TurnRequest): Confinement {
  const { desk, scratch, readOnly } = turn;
  return isReadOnly(turn)
    ? { readOnly: [...readOnly, desk], writable: [scratch] }
    : { readOnly, writable: [desk, scratch] };
}
