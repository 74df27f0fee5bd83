/**
 * What belongs to a person is not decided by an agent: a command that is run inside a turn, or below the process of one,
 * is refused. The mark is in the environment an agent was started with; unsetting it does not change its ancestors'.
 */
import { readFileSync } from "node:fs";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";

export function insideTurn(environment: Readonly<Record<string, string | undefined>>): Problem | undefined {
  const turn = environment.COX_TURN || markOfAncestor();
  if (!turn) return undefined;
  return {
    code: "AGENT_DECIDES",
    message: `this is a decision for a person, and it was asked for inside the turn ${oneLine(turn, 100)}`,
    hint: "Say what you need in your reply (SEEKING DIVINE CLARIFICATION); a person will answer.",
  };
}

/** Deeper ones belong to something else. */
const generationsMax = 64;

function markOfAncestor(): string | undefined {
  let pid: number | undefined = process.ppid;
  for (let generation = 0; pid !== undefined && pid > 1 && generation < generationsMax; generation += 1) {
    const mark = markOf(pid);
    if (mark) return mark;
    pid = parentOf(pid);
  }
  return undefined;
}

function markOf(pid: number): string | undefined {
  const found = readProcess(pid, "environ")
    ?.split("\0")
    .find((one) => one.startsWith("COX_TURN="));
  return found?.slice("COX_TURN=".length);
}

function parentOf(pid: number): number | undefined {
  // The name, in brackets, may hold anything; the parent stands behind the last of them.
  const stat = readProcess(pid, "stat");
  const parent = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
  return parent === undefined ? undefined : Number(parent);
}

/** Nothing where there is no such process, or no way to look at it. */
function readProcess(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return undefined;
  }
}
