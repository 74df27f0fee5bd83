/** How the agents of each driver can work. It loads no driver, so that a configuration can be checked without them. */

/**
 * `desk`: the agent changes files itself, and they are captured. `proposal`: only the operations of its reply count.
 */
export type WorkMode = "desk" | "proposal";

/** The first is the default. */
export type WorkModes = readonly [WorkMode, ...WorkMode[]];

export function workModes(driver: string): WorkModes {
  return restricted[driver] ?? ["desk", "proposal"];
}

/** A bare model has no tools to change anything with. */
const restricted: Readonly<Record<string, WorkModes>> = { model: ["proposal"] };
