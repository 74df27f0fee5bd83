/** The `Agents` list of a plan: `- name: role on driver`, one line each. */
import { quote } from "../../std/printable.ts";
import type { PlanAgent } from "../plan.ts";
import type { PlanFindings } from "../problem.ts";
import type { SourceLine } from "./lines.ts";

const pattern =
  /^(\*\*|`)?([\p{L}\p{N}][\p{L}\p{N}_.-]{0,63})(?:\1)?[ \t]*:(?:\*\*)?[ \t]+([\p{L}\p{N}][\p{L}\p{N} _-]{0,63}?)(?:[ \t]+on[ \t]+`?([\p{L}\p{N}][\p{L}\p{N}_.-]{0,63})`?)?[ \t]*$/u;

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u;

export function isAgentName(name: string): boolean {
  return namePattern.test(name);
}

/** A longer line can only be a mistake; no pattern is tried on more. */
const lengthMax = 300;

export function readAgents(text: string, lines: readonly SourceLine[], findings: PlanFindings): PlanAgent[] {
  const agents = new Map<string, PlanAgent>();
  for (const { item, indent, end } of lines) {
    if (!item || indent > 3) continue;
    const at = { start: item.content, end };
    const content = text.slice(item.content, Math.min(end, item.content + lengthMax)).trimEnd();
    const [, , name, role, driver] = pattern.exec(content.replace(/[ \t]*<!--.*-->$/, "")) ?? [];
    if (name === undefined || role === undefined) {
      findings.block(
        "PLAN_BAD_AGENT",
        at,
        `an agent is "name: role on driver", not ${quote(content, 60)}`,
        "Write for example: - database: developer on claude-code",
      );
    } else if (agents.has(name)) {
      findings.block(
        "PLAN_DUPLICATE_AGENT",
        at,
        `the agent ${quote(name)} is listed twice`,
        "Give one of them another name, or leave it out.",
      );
    } else agents.set(name, { name, role, ...(driver === undefined ? {} : { driver }), at });
  }
  return [...agents.values()];
}
