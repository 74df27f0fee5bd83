/** The agent programs on this machine that we know how to drive, by asking each for its version; nothing else is asked. */
import { clients } from "../driver/clients.ts";
import { oneLine } from "../std/printable.ts";
import type { Programs } from "../world/programs.ts";

export interface InstalledAgent {
  /** What to write as `driver:`. */
  readonly driver: string;
  readonly title: string;
  readonly version: string;
}

export function installedAgents(programs: Programs): InstalledAgent[] {
  return clients.flatMap(({ name, title, program }) => {
    const said = programs.ask(program, "--version");
    if (said === undefined) return [];
    const version = /\d+(?:\.\d+)+[\w.-]*/.exec(said)?.[0] ?? "";
    return [{ driver: name, title, version: oneLine(version, 40) }];
  });
}
