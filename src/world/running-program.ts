/**
 * One program under way: its output, its end, and the end of everything it started.
 *
 * Three ways to find what it started, since each alone misses some: its process group; the mark in the environment,
 * for those who left the group; and, where it is confined, a namespace that ends with it. Who leaves the group and
 * drops the environment too is only caught by the last.
 */
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Writable } from "node:stream";
import { oneLine } from "../std/printable.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { confinementHeld } from "./confinement-wish.ts";
import { endProcesses, killQuietly } from "./end-processes.ts";
import type { Pipes } from "./launch.ts";
import { type OutputTap, outputTap } from "./output-tap.ts";
import { pause } from "./pause.ts";
import { identityOf, type ProcessRow, processRow, processTable, wasStartedWith } from "./process-table.ts";
import type { Ended, OpenInput, ProcessIdentity, Program, Running } from "./processes.ts";

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly pipes: Pipes;
  readonly program: Program;
  /** `NAME=value` in the environment of all its descendants. */
  readonly mark: string;
  /** It is in a namespace of its own, and whether the confinement holds is told on a descriptor. */
  readonly isNamespaced: boolean;
}

type Stream = "stdout" | "stderr";

export class RunningProgram implements Running {
  readonly identity: ProcessIdentity;
  readonly stdin?: OpenInput;
  readonly ended: Promise<Ended>;
  /** Nothing where the system has no table of processes. */
  private readonly startTick: number | undefined;
  private readonly startedMs = performance.now();
  private readonly taps: Readonly<Record<Stream, OutputTap>>;
  private readonly closed: Promise<void>;
  /** Why we ended it; set once. */
  private stopped?: "cancelled" | "output-limit";
  private exit?: Exit;
  private killAt?: number;
  private told = "";

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
    // A signal that cannot be sent is an event of its own in Node, and would end us.
    child.on("error", () => {});
    this.listenForConfinement();
    this.ended = exited.then((exit) => this.afterExit(exit));
  }

  cancel(): void {
    this.stop("cancelled");
  }

  private stop(why: "cancelled" | "output-limit"): void {
    // What it printed may still be read after it has ended, and be too much; to cancel it is too late then.
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

  /** Again and again: a program that has only just been launched has not yet started whom we mean. */
  private async askOthers(killAt: number): Promise<void> {
    while (!this.exit && performance.now() < killAt) {
      await endProcesses({ find: () => this.toBeAsked(), killAt });
      await pause(lookEveryMs);
    }
  }

  /**
   * The group has had its SIGTERM, all of it at once. Where there is a namespace, the program in front of it must
   * live to tell us how the program in it ended, so each of the others is asked by itself.
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

  private async afterExit(exit: Exit): Promise<Ended> {
    const killAt = this.killAt ?? performance.now() + this.started.program.graceMs;
    const escaped = await this.endLeftovers(killAt);
    if (this.stopped !== "output-limit") await this.drain(Math.max(killAt - performance.now(), drainMs));
    this.destroyPipes();
    for (const tap of Object.values(this.taps)) tap.close();
    return this.report(exit, escaped);
  }

  private async endLeftovers(killAt: number): Promise<readonly number[]> {
    const { pid, isNamespaced } = this.started;
    // Nobody outlives the end of a namespace; but if the program in front of it was killed, that end is yet to come.
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

  /** Whoever still holds the pipes is out of reach: they are given up after a while. */
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

  private report(exit: Exit, escaped: readonly number[]): Ended {
    const { stdout, stderr } = this.taps;
    return {
      how: this.stopped ? { kind: this.stopped } : this.howItEnded(exit),
      stdout: stdout.kept,
      stderr: stderr.kept,
      stdoutBytes: stdout.count,
      stderrBytes: stderr.count,
      escaped,
      durationMs: performance.now() - this.startedMs,
      isConfined: this.told.trim() === confinementHeld,
    };
  }

  /**
   * In front of a namespace a signal is told as shells do, by 128 and its number; a program that exits with such a
   * code of its own means the same by it.
   */
  private howItEnded({ code, signal }: Exit): Ended["how"] {
    if (signal) return { kind: "signalled", signal };
    if (!this.started.isNamespaced) return { kind: "exited", code: code ?? 0 };
    if (this.told === "") return { kind: "not-started", errno: "EPERM", message: this.refusal() };
    const told = signalOf((code ?? 0) - 128);
    return told ? { kind: "signalled", signal: told } : { kind: "exited", code: code ?? 0 };
  }

  /** Whoever was to confine it has said so where the program would have. */
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
      // It waits in its next write until it is ended, instead of costing us the reading of what nobody wants.
      pipe.pause();
    });
    pipe?.on("error", () => {});
    return tap;
  }

  private listenForConfinement(): void {
    const pipe = this.started.pipes.told;
    pipe?.on("data", (bytes: Buffer) => {
      this.told += bytes.toString("latin1");
    });
    pipe?.on("error", () => {});
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
/** It waits for our answers; a model's words still do not come one by one. */
const talkMs = 10;
/** When the grace is over: what is in the pipe is still read, if its end comes at once. */
const drainMs = 200;
