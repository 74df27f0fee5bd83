/** A transcript as a person reads it: when, who, what. Events for programs are left out where their meaning stands beside. */
import { counted } from "../std/counted.ts";
import { oneLine, printableLines } from "../std/printable.ts";
import { duration } from "./duration.ts";
import { commandText, type Look, lineText } from "./line.ts";

export interface TurnWords {
  readonly turn: string;
  readonly agent: string;
  readonly role: string;
  readonly path: string;
  readonly entries: readonly Entry[];
  /** Names of the other turns of its task. */
  readonly others: readonly string[];
}

interface Entry {
  readonly ms: number;
  readonly from: "stdout" | "stderr" | "event" | "said" | "did" | "cox";
  readonly text: string;
  readonly cut?: number;
}

export function transcriptText({ turn, agent, role, path, entries, others }: TurnWords, look: Look): string {
  const shown = entries.filter(({ from }) => from !== "event");
  const events = entries.length - shown.length;
  return [
    lineText([["bold", oneLine(turn, 100)], `  ${oneLine(agent, 60)}, ${oneLine(role, 20)}`], look),
    ...shown.flatMap((entry) => entryLines(entry, look)),
    ...(events === 0 ? [] : [note(`${counted(events, "event")} for programs: --json`, look)]),
    note(path, look),
    ...others.slice(0, 5).map((name) => `  ${commandText(`cox transcript ${name}`, look)}`),
    "",
  ].join("\n");
}

/** Nobody reads more of one message in a terminal; the file has it. */
const linesMax = 200;
const indent = " ".repeat(16);

/** Words are not cut at the edge: a message is there to be read, and a terminal wraps it. */
function entryLines({ ms, from, text, cut }: Entry, { paint }: Look): string[] {
  const more = cut === undefined ? [] : [`… (${counted(cut, "more character")})`];
  const [first = "", ...rest] = [...printableLines(text, { lines: linesMax, width: 4000 }), ...more];
  const head = `${duration(ms).padStart(6)}  ${names[from].padEnd(6)}`;
  return [`${paint("dim", head)}  ${first}`, ...rest.map((line) => `${indent}${line}`)];
}

const names: Readonly<Record<Entry["from"], string>> = {
  stdout: "out",
  stderr: "err",
  event: "event",
  said: "said",
  did: "did",
  cox: "cox",
};

function note(text: string, look: Look): string {
  return lineText([["dim", `  ${oneLine(text, 400)}`]], look);
}
