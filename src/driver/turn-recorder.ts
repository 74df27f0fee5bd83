/**
 * What an agent prints and what its events mean, passed on for the transcript of its turn. Secrets that we
 * ourselves gave it never get there: this is the one place that knows the environment it was started with.
 */
import { cutAt } from "../std/cut.ts";
import type { Heard } from "./agent-client.ts";
import type { TurnRecord, TurnWatching } from "./driver.ts";
import { WholeLines } from "./whole-lines.ts";

type Stream = "stdout" | "stderr";
type Environment = Readonly<Record<string, string>>;

export class TurnRecorder {
  readonly #onRecord: TurnWatching["onRecord"];
  readonly #secrets: readonly Secret[];
  readonly #lines: Readonly<Record<Stream, WholeLines>> = {
    stdout: new WholeLines({ piece: textMax, line: heldMax }),
    stderr: new WholeLines({ piece: textMax, line: heldMax }),
  };
  #piece = "";

  constructor(watching: TurnWatching | undefined, environment: Environment) {
    this.#onRecord = watching?.onRecord?.bind(watching);
    this.#secrets = this.#onRecord === undefined ? [] : secretsOf(environment);
  }

  /** Bytes as they come. */
  hear(stream: Stream, bytes: Uint8Array): void {
    if (this.#onRecord === undefined) return;
    this.#lines[stream].push(bytes, (text, leftOut) => this.record(stream, text, leftOut));
  }

  /** What an event means, in words. */
  understand(heard: Heard): void {
    if (heard.heard === "piece") {
      if (this.#onRecord !== undefined) this.#piece += heard.text;
      return;
    }
    this.#closePiece();
    if (heard.heard === "message") this.record("said", heard.text);
    else if (heard.heard === "action") this.record("did", heard.words);
  }

  record(from: TurnRecord["from"], text: string, leftOut = 0): void {
    if (this.#onRecord === undefined || text.trim() === "") return;
    // Masked before it is cut, so that no cut goes through a secret.
    const { kept, cut } = cutAt(this.#masked(text.slice(0, heldMax)), textMax);
    const missing = cut + leftOut + Math.max(0, text.length - heldMax);
    this.#onRecord({ from, text: kept, ...(missing > 0 && { cut: missing }) });
  }

  /** No more will come. */
  end(): void {
    this.#closePiece();
    for (const stream of ["stdout", "stderr"] as const)
      this.#lines[stream].end((text, leftOut) => this.record(stream, text, leftOut));
  }

  #closePiece(): void {
    if (this.#piece !== "") this.record("said", this.#piece);
    this.#piece = "";
  }

  #masked(text: string): string {
    return this.#secrets.reduce((masked, { name, value }) => masked.replaceAll(value, `[${name}]`), text);
  }
}

/** Enough for an event with a file in it; whoever wants the whole of a file has the file. */
const textMax = 64 * 1024;
const heldMax = textMax + 4096;

interface Secret {
  readonly name: string;
  readonly value: string;
}

/** Those whose names say that their values are nobody's business; the longest first, as one may be part of another. */
function secretsOf(environment: Environment): Secret[] {
  return Object.entries(environment)
    .filter(([name, value]) => secretName.test(name) && value.length >= shortest)
    .flatMap(([name, value]) => [...new Set([value, JSON.stringify(value).slice(1, -1)])].map(named(name)))
    .sort((one, other) => other.value.length - one.value.length);
}

const secretName = /key|token|secret|passw|credential|auth(?!or)/i;
/** Of fewer characters it would be found in words that have nothing to do with it. */
const shortest = 6;

function named(name: string): (value: string) => Secret {
  return (value) => ({ name, value });
}
