/** A transcript for people: when, who, what. Events for programs are left out if their meaning is given beside them. */
import { counted } from "../../std/counted.ts";
import { oneLine, printableLines } from "../../std/printable.ts";
import { duration } from "../text/duration.ts";
import { commandText, type Display, lineText } from "../text/line.ts";

export interface TurnName {
  readonly turn: string;
  readonly agent: string;
  readonly role: string;
  readonly path: string;
}

export interface TranscriptView extends TurnName {
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

export function transcriptText({ entries, others, ...turn }: TranscriptView, look: Display): string {
  return [
    turnHeadText(turn, look),
    entriesText(entries, look),
    turnEndText(turn, entries.filter(isEvent).length, look),
    ...others.slice(0, 5).map((name) => `  ${commandText(`cox transcript ${name}`, look)}\n`),
  ].join("");
}

export function turnHeadText({ turn, agent, role }: TurnName, look: Display): string {
  return `${lineText([["bold", oneLine(turn, 100)], `  ${oneLine(agent, 60)}, ${oneLine(role, 20)}`], look)}\n`;
}

export function entriesText(entries: readonly Entry[], look: Display): string {
  const shown = entries.filter((entry) => !isEvent(entry));
  return shown.flatMap((entry) => entryLines(entry, look).map((line) => `${line}\n`)).join("");
}

export function turnEndText({ path }: TurnName, events: number, look: Display): string {
  const count = events === 0 ? "" : `${note(`${counted(events, "event")} for programs: --json`, look)}\n`;
  return `${count}${note(path, look)}\n`;
}

/** Meant for programs; its meaning is given in another entry. */
export function isEvent({ from }: Pick<Entry, "from">): boolean {
  return from === "event";
}

/** Nobody reads more of one message in a terminal; the file has all of it. */
const linesMax = 200;
const indent = " ".repeat(16);

/** Text is not cut at the edge: a message is there to be read, and a terminal wraps it. */
function entryLines({ ms, from, text, cut }: Entry, { paint }: Display): string[] {
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

function note(text: string, look: Display): string {
  return lineText([["dim", `  ${oneLine(text, 400)}`]], look);
}
