/**
 * A running program: its output, its end, and the end of everything it started.
 *
 * There are three ways to find what it started, since each alone misses some: its process group; the mark in the
 * environment, for those that left the group; and, where it is confined, a namespace that ends with it. Only the last
 * catches a process that leaves the group and also drops the environment.
 */
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Writable } from "node:stream";
import { oneLine } from "../../std/printable.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { confinementHeld } from "../sandbox/sandbox.ts";
import { pause } from "../time/pause.ts";
import { endProcesses, killQuietly } from "./end-processes.ts";
import type { Pipes } from "./launch.ts";
import { type OutputTap, outputTap } from "./output-tap.ts";
import { identityOf, type ProcessRow, processRow, processTable, wasStartedWith } from "./process-table.ts";
import type { OpenInput, ProcessEnd, ProcessHandle, ProcessIdentity, Program } from "./processes.ts";

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly pipes: Pipes;
  readonly program: Program;
  /** `NAME=value`, in the environment of all its descendants. */
  readonly mark: string;
  /** It runs in a namespace of its own, and reports on a descriptor whether the confinement holds. */
  readonly isNamespaced: boolean;
}

type Stream = "stdout" | "stderr";

export class RunningProgram implements ProcessHandle {
  readonly identity: ProcessIdentity;
  readonly stdin?: OpenInput;
  readonly ended: Promise<ProcessEnd>;
  /** False when its sandbox could not be set up: then the program itself never ran. */
  readonly hasBegun: Promise<boolean>;
  /** `undefined` where the system has no process table. */
  private readonly startTick: number | undefined;
  private readonly startedMs = performance.now();
  private readonly taps: Readonly<Record<Stream, OutputTap>>;
  private readonly closed: Promise<void>;
  /** Why we ended it; set once. */
  private stopped?: "cancelled" | "output-limit";
  private exit?: Exit;
  private killAt?: number;
  private sandboxReport = "";

  constructor(private readonly started: Started) {
    const { child, pid } = started;
    this.identity = identityOf(pid);
    if (started.program.isTalkedTo && child.stdin) this.stdin = openInput(child.stdin);
    this.startTick = processRow(pid)?.startTick;
    this.taps = { stdout: this.tap("stdout"), stderr: this.tap("stderr") };
    this.closed = this.pipesClosed();
    const exited = new Promise<Exit>((resolve) =>
      child.once("exit", (code, signal) => {
        this.exit = { code, signal };
        resolve(this.exit);
      }),
    );
    // Node emits an `error` event when a signal cannot be sent; unhandled, it would crash us.
    child.on("error", () => {});
    const isHeld = this.listenForConfinement();
    this.ended = exited.then((exit) => this.afterExit(exit));
    this.hasBegun = started.isNamespaced
      ? Promise.race([isHeld, this.ended.then(() => this.sandboxReport !== "")])
      : Promise.resolve(true);
  }

  cancel(): void {
    this.stop("cancelled");
  }

  private stop(why: "cancelled" | "output-limit"): void {
    // Output may still be read after the program has ended, and exceed the limit. Cancelling is too late by then.
    if (this.stopped || (this.exit && why === "cancelled")) return;
    this.stopped = why;
    if (this.exit) this.destroyPipes();
    else this.askToEnd();
  }

  private askToEnd(): void {
    this.killAt = performance.now() + this.started.program.graceMs;
    if (!this.started.isNamespaced) killQuietly(-this.started.pid, "SIGTERM");
    void this.askOthers(this.killAt);
    void this.killLater(this.killAt);
  }

  /** Repeats, because a program that was only just launched may not have started the processes we mean yet. */
  private async askOthers(killAt: number): Promise<void> {
    while (!this.exit && performance.now() < killAt) {
      await endProcesses({ find: () => this.toBeAsked(), killAt });
      await pause(lookEveryMs);
    }
  }

  /**
   * The processes that still need a SIGTERM. Without a namespace the group has already received it all at once. With a
   * namespace, the program in front of it must survive to report how the program inside ended, so each of the others is
   * asked separately.
   */
  private toBeAsked(): ProcessRow[] {
    if (this.exit) return [];
    const { pid } = this.started;
    return this.relatives().filter((row) =>
      this.started.isNamespaced ? row.pid !== pid : row.group !== pid,
    );
  }

  private async killLater(killAt: number): Promise<void> {
    while (!this.exit && performance.now() < killAt) await pause(lookEveryMs);
    if (!this.exit) killQuietly(-this.started.pid, "SIGKILL");
  }

  private async afterExit(exit: Exit): Promise<ProcessEnd> {
    const killAt = this.killAt ?? performance.now() + this.started.program.graceMs;
    const escaped = await this.endLeftovers(killAt);
    if (this.stopped !== "output-limit") await this.drain(Math.max(killAt - performance.now(), drainMs));
    this.destroyPipes();
    for (const tap of Object.values(this.taps)) tap.close();
    return this.report(exit, escaped);
  }

  private async endLeftovers(killAt: number): Promise<readonly number[]> {
    const { pid, isNamespaced } = this.started;
    // Nothing outlives its namespace. But if the program in front of it was killed, the namespace has not ended yet.
    if (isNamespaced && !this.exit?.signal) return [];
    if (this.startTick === undefined) killQuietly(-pid, "SIGKILL");
    const escaped = isNamespaced ? [] : this.relatives().filter((row) => row.group !== pid);
    await endProcesses({ find: () => this.relatives(), killAt });
    return escaped.map((row) => row.pid);
  }

  private relatives(): ProcessRow[] {
    const { pid, mark } = this.started;
    const since = this.startTick ?? 0;
    return processTable().filter(
      (row) =>
        !row.isZombie && row.startTick >= since && (row.group === pid || wasStartedWith(row.pid, mark)),
    );
  }

  /** Waits for the pipes to close. Whoever still holds them is out of our reach, so we give up after a while. */
  private drain(patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      void this.closed.then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private async pipesClosed(): Promise<void> {
    const pipes = Object.values(this.started.pipes).filter((pipe) => pipe !== null);
    await Promise.all(pipes.map((pipe) => new Promise((resolve) => pipe.once("close", resolve))));
  }

  private destroyPipes(): void {
    this.started.child.stdin?.destroy();
    for (const pipe of Object.values(this.started.pipes)) pipe?.destroy();
  }

  private report(exit: Exit, escaped: readonly number[]): ProcessEnd {
    const { stdout, stderr } = this.taps;
    return {
      how: this.stopped ? { kind: this.stopped } : this.howItEnded(exit),
      stdout: stdout.kept,
      stderr: stderr.kept,
      stdoutBytes: stdout.count,
      stderrBytes: stderr.count,
      escaped,
      durationMs: performance.now() - this.startedMs,
      isConfined: this.sandboxReport.trim() === confinementHeld,
    };
  }

  /**
   * The program in front of a namespace reports a signal as shells do: 128 plus its number. A program that exits with
   * such a code itself means the same by it.
   */
  private howItEnded({ code, signal }: Exit): ProcessEnd["how"] {
    if (signal) return { kind: "signalled", signal };
    if (!this.started.isNamespaced) return { kind: "exited", code: code ?? 0 };
    if (this.sandboxReport === "") return { kind: "not-started", errno: "EPERM", message: this.refusal() };
    const reported = signalOf((code ?? 0) - 128);
    return reported ? { kind: "signalled", signal: reported } : { kind: "exited", code: code ?? 0 };
  }

  /** The sandbox reports its failure on the program's stderr. */
  private refusal(): string {
    const said = oneLine(decodeUtf8(this.taps.stderr.kept).trim());
    return `${this.started.program.argv[0]} cannot be run: it was not confined (${said})`;
  }

  private tap(stream: Stream): OutputTap {
    const { pipes, program } = this.started;
    const { keepBytes, bytesMax, onOutput, isTalkedTo } = program;
    const tap = outputTap({
      keepBytes,
      ...(isTalkedTo && { passEveryMs: talkMs }),
      ...(onOutput && { pass: (bytes) => onOutput.call(program, stream, bytes) }),
    });
    const pipe = pipes[stream];
    pipe?.on("data", (bytes: Buffer) => {
      tap.take(bytes);
      if (this.taps.stdout.count + this.taps.stderr.count <= bytesMax) return;
      this.stop("output-limit");
      // The program blocks in its next write until it is ended, so we need not read output that nobody wants.
      pipe.pause();
    });
    pipe?.on("error", () => {});
    return tap;
  }

  /** Resolves when the sandbox reports that it holds; never resolves if it does not. */
  private listenForConfinement(): Promise<boolean> {
    const pipe = this.started.pipes.reports;
    pipe?.on("error", () => {});
    return new Promise((resolve) =>
      pipe?.on("data", (bytes: Buffer) => {
        this.sandboxReport += bytes.toString("latin1");
        resolve(true);
      }),
    );
  }
}

function openInput(stdin: Writable): OpenInput {
  return {
    write: (bytes) => void (stdin.writable && stdin.write(bytes)),
    end: () => void stdin.end(),
  };
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function signalOf(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, one]) => one === number)?.[0];
}

const lookEveryMs = 20;
/** The program waits for our answers, so pass output on quickly, though not each of a model's words by itself. */
const talkMs = 10;
/** After the grace period: what is left in the pipe is still read if its end comes at once. */
const drainMs = 200;
