/**
 * A lock that the kernel keeps: flock(2) on an open file, which Node cannot call itself.
 *
 * A child is handed the descriptor, locks it and ends; the lock belongs to the open file that we share with it,
 * so it stays ours until we close the file or die, SIGKILL included. Where there is no `flock` program (macOS),
 * perl makes the same system call. Where there is neither, we refuse: a lock by process numbers or by time would
 * let a second writer in after a reuse or a suspend, and nobody would know.
 */
import { spawn, spawnSync } from "node:child_process";

type Locker = readonly [program: string, ...args: string[]];

const takers: readonly Locker[] = [
  ["flock", "-n", "-x", "3"],
  ["perl", "-MErrno", "-e", `${perlWith(6)}; exit 0`],
];

/** The kernel wakes them. How long they may wait is for us to count: not every `flock` can (busybox). */
const waiters: readonly Locker[] = [
  ["flock", "-x", "3"],
  ["perl", "-MErrno", "-e", `${perlWith(2)}; exit 0`],
];

/** Shared, and given back at once. */
const askers: readonly Locker[] = [
  ["sh", "-c", "command -v flock > /dev/null || exit 127; flock -n -s 3 || exit; flock -u 3"],
  ["perl", "-MErrno", "-e", `${perlWith(5)}; flock($f, 8); exit 0`],
];

function perlWith(operation: number): string {
  return `open(my $f, "<&=", 3) or exit 2; flock($f, ${operation}) or exit($!{EWOULDBLOCK} ? 1 : 2)`;
}

/** False when somebody else has it. */
export function takeLock(fd: number): boolean {
  return isGiven(fd, takers);
}

/** Of a file that is open for the question alone: a lock of our own on it would be given back. */
export function isLocked(fd: number): boolean {
  return !isGiven(fd, askers);
}

export interface LockWait {
  readonly fd: number;
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** False when somebody else has it for longer than that. */
export async function awaitLock({ fd, waitMs, signal }: LockWait): Promise<boolean> {
  for (const locker of waitMs > 0 ? waiters : takers) {
    signal?.throwIfAborted();
    const end = await ended(locker, { fd, waitMs, signal });
    signal?.throwIfAborted();
    const isTaken = verdict(locker[0], end);
    if (isTaken !== "not installed") return isTaken;
  }
  throw neitherInstalled();
}

function isGiven(fd: number, lockers: readonly Locker[]): boolean {
  for (const [program, ...args] of lockers) {
    const { error, status, signal, stderr } = spawnSync(program, args, {
      stdio: ["ignore", "ignore", "pipe", fd],
    });
    const isTaken = verdict(program, { error, status, signal, said: stderr?.toString() ?? "" });
    if (isTaken !== "not installed") return isTaken;
  }
  throw neitherInstalled();
}

interface LockerEnd {
  readonly error?: Error | undefined;
  readonly status: number | null;
  readonly signal: string | null;
  readonly said: string;
  /** We ended it ourselves, since its time was over. */
  readonly wasLate?: boolean;
}

function ended([program, ...args]: Locker, { fd, waitMs, signal }: LockWait): Promise<LockerEnd> {
  // In a group of its own: a Ctrl-C is for us to hear.
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe", fd], detached: true });
  let said = "";
  child.stderr?.on("data", (text: Buffer) => {
    said += text;
  });
  let wasLate = false;
  const end = (): void => void child.kill("SIGKILL");
  const timer = waitMs > 0 ? setTimeout(endLate, waitMs) : undefined;
  signal?.addEventListener("abort", end);
  return new Promise<LockerEnd>((resolve) => {
    child.once("error", (error) => resolve({ error, status: null, signal: null, said }));
    child.once("close", (status, by) => resolve({ status, signal: by, said, wasLate }));
  }).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  });

  function endLate(): void {
    wasLate = true;
    end();
  }
}

function verdict(
  program: string,
  { error, status, signal, said, wasLate }: LockerEnd,
): boolean | "not installed" {
  if (error && "code" in error && error.code === "ENOENT") return "not installed";
  if (error) throw error;
  if (status === 127) return "not installed";
  if (status === 0) return true;
  if (status === 1 || wasLate) return false;
  throw lockFailure(
    "ENOLCK",
    `${program} could not lock the file: ${said.trim() || `it ended with ${status ?? signal}`}`,
  );
}

function neitherInstalled(): Error {
  return lockFailure("ENOSYS", "the file cannot be locked: neither flock (util-linux) nor perl is installed");
}

function lockFailure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
