/**
 * One command of a verification: what it printed, hashed as it comes, and how it ended, in words.
 *
 * Both streams are one, as on a terminal: which came first is only sure when they share a pipe.
 */
import { createHash } from "node:crypto";
import { unreachable } from "../std/assert.ts";
import { oneLine } from "../std/printable.ts";
import { size } from "../std/size.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import type { Environment } from "../world/clean-environment.ts";
import type { Confinement, Ended, Processes, Running } from "../world/processes.ts";
import { OutputTail } from "./output-tail.ts";
import type { CommandEvidence } from "./verifier.ts";

export interface CommandParts {
  readonly processes: Processes;
  readonly command: string;
  readonly folder: string;
  readonly environment: Environment;
  /** Where nothing is said it may write wherever the user may. */
  readonly confinement?: Confinement;
  onLine?(line: string): void;
}

export interface CommandEnd {
  readonly evidence: CommandEvidence;
  /** Nothing when it passed. */
  readonly why: string | undefined;
}

/** More than any test prints on purpose; only counted and hashed, so it costs no memory. */
const bytesMax = 256_000_000;
const tailBytes = 16 * 1024;
const graceMs = 3000;

export class CommandRun {
  readonly ended: Promise<CommandEnd>;
  private readonly running: Running;
  private readonly hash = createHash("sha256");
  private readonly tail = new OutputTail(tailBytes);

  constructor(private readonly parts: CommandParts) {
    const { processes, command, folder, environment, confinement } = parts;
    this.running = processes.start({
      argv: ["/bin/sh", "-c", 'exec /bin/sh -c -- "$0" 2>&1', command],
      folder,
      environment,
      ...(confinement && { confinement }),
      keepBytes: 0,
      bytesMax,
      graceMs,
      onOutput: (_, bytes) => this.take(bytes),
    });
    this.ended = this.running.ended.then((ended) => ({
      evidence: this.evidenceOf(ended),
      why: whyNot(ended.how),
    }));
  }

  cancel(): void {
    this.running.cancel();
  }

  private take(bytes: Uint8Array): void {
    this.hash.update(bytes);
    this.tail.take(bytes);
    if (!this.parts.onLine) return;
    const line = lastLine(decodeUtf8(bytes));
    if (line) this.parts.onLine(line);
  }

  private evidenceOf({ how, durationMs }: Ended): CommandEvidence {
    const { command } = this.parts;
    return {
      command,
      argv: ["/bin/sh", "-c", command],
      exitCode: how.kind === "exited" ? how.code : null,
      ...(how.kind === "signalled" && { signal: how.signal }),
      durationMs,
      outputSha256: this.hash.digest("hex"),
      output: this.tail.text(),
    };
  }
}

function whyNot(how: Ended["how"]): string | undefined {
  switch (how.kind) {
    case "exited":
      return how.code === 0 ? undefined : `exit code ${how.code}`;
    case "signalled":
      return `ended by ${how.signal}`;
    case "cancelled":
      return "cancelled";
    case "output-limit":
      return `printed more than ${size(bytesMax)}`;
    case "not-started":
      return how.message;
    default:
      return unreachable(how);
  }
}

function lastLine(text: string): string | undefined {
  const line = text.trimEnd().split("\n").at(-1)?.trim();
  return line ? oneLine(line) : undefined;
}
