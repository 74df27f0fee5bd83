/**
 * Where a turn may write: its scratch folder, its desk unless it judges or only proposes, what its program has to keep,
 * and paths that the configuration allows.
 */
import type { Confinement } from "../world/processes/processes.ts";
import type { TurnRequest } from "./driver.ts";
import type { ProgramHome } from "./programs/program-home.ts";

/** Neither an agent that judges nor one that only proposes may change files. */
export function isReadOnlyTurn({ role, mode }: Pick<TurnRequest, "role" | "mode">): boolean {
  return role !== "developer" || mode === "proposal";
}

export function confinementOf(turn: TurnRequest, home?: ProgramHome): Confinement {
  const { desk, scratch, readOnly, writable = [] } = turn;
  const own = [...(home?.keptFolders ?? []), ...(home?.keptFiles ?? []), ...writable, scratch];
  return {
    readOnly: isReadOnlyTurn(turn) ? [...readOnly, desk] : readOnly,
    writable: isReadOnlyTurn(turn) ? own : [...own, desk],
    ...(home && { thrownAway: home.obeyed, copiedWithoutLayers: home.written }),
  };
}
