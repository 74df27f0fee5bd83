/** Which drivers cannot let their agents work in both ways. Said here a second time, because a configuration is judged without drivers. */
import type { Way } from "./config.ts";

export function waysOf(driver: string): readonly Way[] {
  return restricted[driver] ?? ["desk", "proposal"];
}

/** A model without a program around it has no tools to change anything with. */
const restricted: Readonly<Record<string, readonly Way[]>> = { model: ["proposal"] };
