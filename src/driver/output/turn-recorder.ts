/**
 * Passes on what an agent prints, and what its events mean, for the transcript of its turn. Secrets that we gave the
 * agent are masked here, because only this class knows the environment it was started with.
 */
import { cutAt } from "../../std/cut.ts";
import type { TurnObserver, TurnRecord } from "../driver.ts";
import type { ClientSignal } from "../programs/agent-client.ts";
import { WholeLines } from "./whole-lines.ts";

type Stream = "stdout" | "stderr";
type Environment = Readonly<Record<string, string>>;

export class TurnRecorder {
  readonly #onRecord: TurnObserver["onRecord"];
  readonly #secrets: readonly Secret[];
  readonly #lines: Readonly<Record<Stream, WholeLines>> = {
    stdout: new WholeLines({ piece: textMax, line: heldMax }),
    stderr: new WholeLines({ piece: textMax, line: heldMax }),
  };
  #piece = "";

  constructor(observer: TurnObserver | undefined, environment: Environment) {
    this.#onRecord = observer?.onRecord?.bind(observer);
    this.#secrets = this.#onRecord === undefined ? [] : secretsOf(environment);
  }

  /** Takes output as it arrives. */
  hear(stream: Stream, output: Uint8Array | string): void {
    if (this.#onRecord === undefined) return;
    this.#lines[stream].push(output, (text, leftOut) => this.record(stream, text, leftOut));
  }

  /** Records what an event means, in words. */
  understand(signal: ClientSignal): void {
    if (signal.kind === "piece") {
      if (this.#onRecord !== undefined) this.#piece += signal.text;
      return;
    }
    this.#closePiece();
    if (signal.kind === "message") this.record("said", signal.text);
    else if (signal.kind === "action") this.record("did", signal.words);
  }

  record(from: TurnRecord["from"], text: string, leftOut = 0): void {
    if (this.#onRecord === undefined || text.trim() === "") return;
    // Mask before cutting, so that no secret is cut in half.
    const { kept, cut } = cutAt(this.#masked(text.slice(0, heldMax)), textMax);
    const missing = cut + leftOut + Math.max(0, text.length - heldMax);
    this.#onRecord({ from, text: kept, ...(missing > 0 && { cut: missing }) });
  }

  /** Call this when no more output will come. */
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

/** Enough for an event with a file in it; to see a whole file, open the file. */
const textMax = 64 * 1024;
const heldMax = textMax + 4096;

interface Secret {
  readonly name: string;
  readonly value: string;
}

/** Variables whose names suggest a secret; the longest values first, as one may be part of another. */
function secretsOf(environment: Environment): Secret[] {
  return Object.entries(environment)
    .filter(([name, value]) => secretName.test(name) && value.length >= shortest)
    .flatMap(([name, value]) => [...new Set([value, JSON.stringify(value).slice(1, -1)])].map(named(name)))
    .sort((one, other) => other.value.length - one.value.length);
}

const secretName = /key|token|secret|passw|credential|auth(?!or)/i;
/** A shorter value would also match in unrelated words. */
const shortest = 6;

function named(name: string): (value: string) => Secret {
  return (value) => ({ name, value });
}
