/** `cox doctor`: what of this machine and folder is in the way, each with its fix; silent about what is healthy. */
import { resolve } from "node:path";
import { counted } from "../std/counted.ts";
import { type Finding, findingText } from "../view/finding.ts";
import type { Machine } from "../world/machine.ts";
import { examine } from "./checks.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { AgentsMeans } from "./known-agents.ts";

export interface DoctorPorts {
  readonly machine: Machine;
  readonly agents: AgentsMeans;
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
    if (shown.length === 0 && terminal.isWatched)
      terminal.notice(
        `nothing is in the way; every one of ${counted(findings.length, "check")}: cox doctor --verbose\n`,
      );
  }
  return blocked ? exit.notReady : exit.done;
}

function toDocument({ check, state, message, fix }: Finding) {
  return { check, state, message, fix: fix ?? null };
}
