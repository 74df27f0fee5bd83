/** `cox doctor`: what of this machine and folder is in the way, each with its fix; silent about what is healthy. */
import { resolve } from "node:path";
import { type Finding, findingText } from "../view/finding.ts";
import type { Machine } from "../world/machine.ts";
import type { Programs } from "../world/programs.ts";
import { examine } from "./checks.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";

export interface DoctorPorts {
  readonly machine: Machine;
  readonly programs: Programs;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export async function doctor(door: Door, ports: DoctorPorts): Promise<ExitCode> {
  const { values, terminal, files } = door;
  const findings = examine({ ...ports, files, root: resolve(values.one("root") ?? ".") });
  const blocked = findings.some(({ state }) => state === "blocks");
  if (terminal.json) {
    terminal.print(`${JSON.stringify({ ok: !blocked, findings: findings.map(toDocument) })}\n`);
  } else {
    const shown = findings.filter(({ state }) => values.has("verbose") || state !== "healthy");
    terminal.print(shown.map((finding) => findingText(finding, terminal.paint)).join(""));
  }
  return blocked ? exit.notReady : exit.done;
}

function toDocument({ check, state, message, fix }: Finding) {
  return { check, state, message, fix: fix ?? null };
}
