/**
 * The work modes that each driver supports. The drivers declare them too; they are repeated here because a configuration
 * is checked without loading drivers.
 */
import type { WorkMode } from "../file/config.ts";

export function workModesOf(driver: string): readonly WorkMode[] {
  return restricted[driver] ?? ["desk", "proposal"];
}

/** A bare model has no tools to change anything with. */
const restricted: Readonly<Record<string, readonly WorkMode[]>> = { model: ["proposal"] };
