/**
 * The transcript of a turn: everything the agent printed or reported, line by line, for people who want to know what
 * happened. Nothing is decided by it. Anything that looks like a secret is masked.
 */
import { SecretMask } from "../../change/policy/mask-secrets.ts";
import type { TurnRecord } from "../../driver/driver.ts";
import type { Ports } from "../loop/ports.ts";
import type { KeptLines } from "./archive.ts";

export function transcriptName(turn: string): string {
  return `turns/${turn}/transcript.jsonl`;
}

/** One line of it. */
export interface TranscriptEntry {
  /** Time since the turn started. */
  readonly ms: number;
  /** `cox` marks our own messages. */
  readonly from: TurnRecord["from"] | "cox";
  readonly text: string;
  /** How many characters were cut off. */
  readonly cut?: number;
}

export function openTranscript(
  { archive, clock }: Pick<Ports, "archive" | "clock">,
  turn: string,
): Transcript {
  const began = clock.elapsed();
  const line = (entry: Omit<TranscriptEntry, "ms">) =>
    JSON.stringify({ ms: Math.round(clock.elapsed() - began), ...entry });
  const gap = (text: string) => line({ from: "cox", text });
  return new Transcript(archive.lines(transcriptName(turn), gap), line);
}

class Transcript {
  readonly #masks = new Map<string, SecretMask>();

  constructor(
    private readonly lines: KeptLines,
    private readonly line: (entry: Omit<TranscriptEntry, "ms">) => string,
  ) {}

  record({ from, text, cut }: TurnRecord): void {
    const mask = this.#masks.get(from) ?? new SecretMask();
    this.#masks.set(from, mask);
    this.#add({ from, text: mask.masked(text), ...(cut !== undefined && { cut }) });
  }

  /** Adds a message of our own. */
  say(words: string): void {
    this.#add({ from: "cox", text: words });
  }

  end(words: string): void {
    this.say(words);
    this.lines.end();
  }

  #add(entry: Omit<TranscriptEntry, "ms">): void {
    this.lines.add(this.line(entry));
  }
}

/** Skips lines that are not entries, such as one that a crash cut off. */
export function transcriptEntries(lines: readonly string[]): TranscriptEntry[] {
  return lines.flatMap((line) => {
    try {
      const entry = JSON.parse(line) as Partial<TranscriptEntry>;
      const { ms = 0, from = "cox", text, cut } = entry;
      if (typeof text !== "string") return [];
      const parts = linesOf(from, text).map((part): TranscriptEntry => ({ ms, from, text: part }));
      const last = parts.pop();
      return last ? [...parts, { ...last, ...(cut !== undefined && { cut }) }] : [];
    } catch {
      return [];
    }
  });
}

/** Lines printed together are stored together and shown one by one. */
function linesOf(from: TranscriptEntry["from"], text: string): string[] {
  if (from !== "stdout" && from !== "stderr") return [text];
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== "");
}
