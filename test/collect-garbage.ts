/** Collects garbage as it is collected some day anyway, so that what is held on to only weakly is gone now. */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // What is only let go of by a turn of the loop is let go of first.
  for (let round = 0; round < 3; round++) {
    await setImmediate();
    collect();
  }
}
