/**
 * Messages about agents that work without a sandbox, or with an incomplete one, and about what changed outside meanwhile.
 */
import type { Finding } from "../kernel/event.ts";
import type { State, Task } from "../kernel/state.ts";
import { oneLine } from "../std/printable.ts";

export const unconfinedWords =
  "agents work without a sandbox here: what changes outside their desks is found and told, not prevented (cox doctor)";

export const withoutLayersWords =
  "agents are held to their desks, but can change package caches for good and reach sockets in your home (cox doctor)";

/** The most serious first: what fails a turn. */
export function outsideWords(items: readonly Finding[]): string {
  const [first] = [...items].sort((one, other) => one.code.localeCompare(other.code));
  if (!first) return "something outside its desk changed";
  const others = items.filter((one) => one !== first);
  const named = others.slice(0, 3).map(({ path = "" }) => oneLine(path, 80));
  const left = others.length - named.length;
  const more = others.length === 0 ? "" : `; also ${named.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
  return `${oneLine(first.message, 400)} (${oneLine(first.code, 60)})${more}`;
}

/** For `cox why`: what changed while this task's agents worked. */
export function outsideFacts({ outside }: State, { facts }: Task): string[] {
  return outside.items
    .filter(({ task }) => task === facts.task)
    .slice(-factsMax)
    .map(({ finding }) => oneLine(finding.message, 400));
}

const factsMax = 5;

export function outsideDocument({ outside }: State) {
  return outside.items.map(({ task, finding }) => ({ task, code: finding.code, path: finding.path ?? null }));
}

/** For the summary: one line per message, however often it was found. */
export function outsideRows({ outside }: State): string[] {
  return [...new Set(outside.items.map(({ finding }) => oneLine(finding.message, 400)))];
}
