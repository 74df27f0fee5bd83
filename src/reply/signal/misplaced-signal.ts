/**
 * Finds a signal that was meant but does not count: indented, decorated, in other letters, inside a block or a
 * sentence.
 *
 * Used only if a reply has no signal that counts. Accepting it would mean accepting any sentence about signals;
 * ignoring it would mistake "not done" for done. So the agent is asked again.
 */

import type { TextSpan } from "../check/words.ts";
import type { Source } from "../find/source.ts";
import { namesTask, type SignalName, signalNames, writtenSignal } from "./signal.ts";

export interface Misplaced {
  readonly name: SignalName;
  readonly at: number;
  readonly found: string;
}

export function misplacedSignal(
  source: Source,
  spans: readonly TextSpan[],
  task: string | undefined,
): Misplaced | undefined {
  for (const span of spans) {
    const text = source.text.slice(span.from, span.until);
    const found = decorated(text, task) ?? inSentence(text, task);
    if (found !== undefined) return { ...found, at: span.from + found.at };
  }
  return undefined;
}

/** Decorations that people and models put before a line. Each part is bounded, so the search is linear. */
const line = new RegExp(
  `^[ \\t>*_#\`•✅❌\\-\\d.)\\u200b-\\u200f\\ufeff]{0,20}(${signalNames.join("|")})(?![\\p{L}\\p{N}_])([^\\n]{0,200})`,
  "gimu",
);

function decorated(text: string, task: string | undefined): Misplaced | undefined {
  for (const match of text.matchAll(line)) {
    const [found, words = "", behind = ""] = match;
    const name = signalNames.find((one) => one === words.toUpperCase());
    if (name !== undefined && isMeant(name, { words, behind, task })) {
      return { name, at: match.index, found: found.trim() };
    }
  }
  return undefined;
}

/** The line holds only the signal: its words alone, or with what it must name. */
function isMeant(
  name: SignalName,
  line: { words: string; behind: string; task: string | undefined },
): boolean {
  const { words, behind, task } = line;
  if (words !== name && !namesTask(name)) return false;
  const rest = behind.replace(/[*_`]/g, "").trim();
  if (rest === "") return true;
  if (!":-–—".includes(rest[0] ?? "")) return false;
  return !namesTask(name) || task === undefined || rest.includes(task);
}

/** The exact signal, with this task's id, after other words. */
function inSentence(text: string, task: string | undefined): Misplaced | undefined {
  if (task === undefined) return undefined;
  for (const name of signalNames.filter(namesTask)) {
    const found = writtenSignal(name, task);
    const at = text.indexOf(found);
    if (at !== -1 && !/[\p{L}\p{N}_-]/u.test(text[at + found.length] ?? "")) return { name, at, found };
  }
  return undefined;
}
