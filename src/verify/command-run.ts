/**
 * One command of a verification: its output, hashed as it arrives, and how it ended, in words.
 *
 * Stdout and stderr share one pipe, as on a terminal: otherwise it is not certain which came first.
 */
import { createHash } from "node:crypto";
import { unreachable } from "../std/assert.ts";
import { oneLine } from "../std/printable.ts";
import { size } from "../std/size.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { isDiskRefusal } from "../world/files/errno.ts";
import type { Environment } from "../world/processes/clean-environment.ts";
import type { Confinement, ProcessEnd, Processes, ProcessHandle } from "../world/processes/processes.ts";
import { OutputTail } from "./output-tail.ts";
import type { CommandEvidence } from "./verifier.ts";

export interface CommandParts {
  readonly processes: Processes;
  readonly command: string;
  readonly folder: string;
  readonly environment: Environment;
  /** Without one, the command may write wherever the user may. */
  readonly confinement?: Confinement;
  onLine?(line: string): void;
}

export interface VerifyCommandEnd {
  readonly evidence: CommandEvidence;
  /** Why it failed; undefined when it passed. */
  readonly why: string | undefined;
}

/** More than any test prints on purpose. Output is only counted and hashed, so it costs no memory. */
const bytesMax = 256_000_000;
const tailBytes = 16 * 1024;
const graceMs = 3000;

export class CommandRun {
  readonly ended: Promise<VerifyCommandEnd>;
  private readonly running: ProcessHandle;
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
    this.ended = this.running.ended.then((ended) => {
      failOnFullDisk(ended.how);
      return { evidence: this.evidenceOf(ended), why: whyNot(ended.how) };
    });
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

  private evidenceOf({ how, durationMs }: ProcessEnd): CommandEvidence {
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

/**
 * If a command could not start because the disk is full, nothing is known about the tree, so this is no evidence
 * against it.
 */
function failOnFullDisk(how: ProcessEnd["how"]): void {
  if (how.kind !== "not-started" || !isDiskRefusal(how.errno)) return;
  throw Object.assign(new Error(how.message), { code: how.errno });
}

function whyNot(how: ProcessEnd["how"]): string | undefined {
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
