/**
 * The table of processes, as /proc tells it.
 *
 * A number alone names nobody for long: every question is answered for a number together with its start. Where
 * there is no /proc the table is empty, and nothing is ever killed on the word of a number that was written down.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { ProcessIdentity } from "./processes.ts";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Ticks since the machine was started. */
  readonly startTick: number;
  /** It has ended, and its parent has not yet asked how. */
  readonly isZombie: boolean;
}

export function processTable(): ProcessRow[] {
  return numbersIn("/proc").flatMap((pid) => processRow(pid) ?? []);
}

export function processRow(pid: number): ProcessRow | undefined {
  const text = readQuietly(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The second field is the program's name in parentheses, and may hold spaces and parentheses of its own.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    isZombie: fields[0] === "Z" || fields[0] === "X",
    parent: Number(fields[1]),
    group: Number(fields[2]),
    startTick: Number(fields[19]),
  };
}

export function identityOf(pid: number): ProcessIdentity {
  const row = processRow(pid);
  return { pid, started: row ? startedAs(row) : `wall:${Date.now()}` };
}

/** Boot id and tick: a tick alone comes again after the machine was started anew. */
export function startedAs(row: ProcessRow): string {
  return `${bootId()}:${row.startTick}`;
}

/** Whether it was started with exactly this line in its environment. What is not ours to read was not ours to start. */
export function wasStartedWith(pid: number, line: string): boolean {
  const environment = readQuietly(`/proc/${pid}/environ`);
  return environment !== undefined && `\0${environment}\0`.includes(`\0${line}\0`);
}

/** Ourselves and all above us, who are never to be ended. */
export function lineage(): Set<number> {
  const line = new Set<number>();
  for (let pid = process.pid; pid > 0 && !line.has(pid); pid = processRow(pid)?.parent ?? 0) line.add(pid);
  return line;
}

let boot: string | undefined;

function bootId(): string {
  boot ??= readQuietly("/proc/sys/kernel/random/boot_id")?.trim() ?? "boot";
  return boot;
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).filter(isNumber).map(Number);
  } catch {
    return [];
  }
}

function isNumber(name: string): boolean {
  return /^[0-9]+$/.test(name);
}

/** Processes end while we look: one that is gone, or hidden from us, has nothing to say. Bytes map to characters. */
function readQuietly(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
