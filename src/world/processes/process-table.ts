/**
 * The process table, read from /proc.
 *
 * A pid alone does not identify a process for long, because pids are reused; so a pid is always used with its start
 * time. Where there is no /proc the table is empty, and nothing is ever killed based on a recorded pid alone.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { ProcessIdentity } from "./processes.ts";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** In ticks since the machine booted. */
  readonly startTick: number;
  /** It has ended, but its parent has not collected its exit status yet. */
  readonly isZombie: boolean;
}

export function processTable(): ProcessRow[] {
  return numbersIn("/proc").flatMap((pid) => processRow(pid) ?? []);
}

export function processRow(pid: number): ProcessRow | undefined {
  const text = readQuietly(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
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

/** Boot id and tick: the same tick occurs again after a reboot. */
export function startedAs(row: ProcessRow): string {
  return `${bootId()}:${row.startTick}`;
}

/**
 * Whether it was started with exactly this line in its environment. A process we may not read is not one we started.
 */
export function wasStartedWith(pid: number, line: string): boolean {
  const environment = readQuietly(`/proc/${pid}/environ`);
  return environment !== undefined && `\0${environment}\0`.includes(`\0${line}\0`);
}

/** This process and all its ancestors, which must never be ended. */
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

/** `undefined` for a process that has ended meanwhile or is hidden from us. Each byte becomes one character. */
function readQuietly(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
