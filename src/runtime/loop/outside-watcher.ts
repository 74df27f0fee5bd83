/**
 * Watches files outside the desks when there is no sandbox. Two snapshots are compared; any difference was written in
 * between, by an agent or by somebody else.
 */
import type { OutsideSnapshot } from "../../git/repository.ts";

export interface OutsideWatcher {
  /** Whether agents can write outside their desks here; asked before each turn. */
  isNeeded(): boolean;
  /** Whether changes that agents make outside, where they may, are discarded when they end. */
  hasLayers(): boolean;
  /** The sandbox failed once, so it is no longer trusted. */
  distrust(): void;
  /** `desks` names the idle desks. */
  snapshot(options: {
    readonly desks: readonly string[];
    readonly since?: OutsideSnapshot;
  }): Promise<OutsideSnapshot>;
}
