/**
 * A lock that the operating system keeps: flock(2) on an open file, which Node cannot call itself.
 *
 * A child process inherits the descriptor, locks it and exits. The lock belongs to the open file that we share with it,
 * so we hold it until we close the file or die, even by SIGKILL. Where there is no `flock` program (macOS), perl makes
 * the same system call. Where there is neither, we refuse: a lock based on process ids or time could let in a second
 * writer after an id is reused or the machine is suspended, and nobody would notice.
 */
import type { FoundProgram } from "../processes/program/find-program.ts";
import { pinnedProgram } from "../processes/program/pinned-programs.ts";
import { spawn, spawnSync } from "../processes/spawn.ts";

type Locker = readonly [program: string, ...args: string[]];

const takers: readonly Locker[] = [
  ["flock", "-n", "-x", "3"],
  ["perl", "-MErrno", "-e", `${perlWith(6)}; exit 0`],
];

/** These block until the kernel wakes them. We count the timeout ourselves, because not every `flock` can (busybox). */
const waiters: readonly Locker[] = [
  ["flock", "-x", "3"],
  ["perl", "-MErrno", "-e", `${perlWith(2)}; exit 0`],
];

/** Testing for a lock: `askers` take a shared lock, `givers` release it at once. */
const askers: readonly Locker[] = [
  ["flock", "-n", "-s", "3"],
  ["perl", "-MErrno", "-e", `${perlWith(5)}; exit 0`],
];
const givers: readonly Locker[] = [
  ["flock", "-u", "3"],
  ["perl", "-MErrno", "-e", `${perlWith(8)}; exit 0`],
];

function perlWith(operation: number): string {
  return `open(my $f, "<&=", 3) or exit 2; flock($f, ${operation}) or exit($!{EWOULDBLOCK} ? 1 : 2)`;
}

/** Returns false when somebody else holds the lock. */
export function takeFlock(fd: number): boolean {
  return isGiven(fd, takers);
}

/** Open the file just for this question: if we held a lock through `fd` ourselves, this would release it. */
export function isLocked(fd: number): boolean {
  return !(isGiven(fd, askers) && isGiven(fd, givers));
}

export interface FlockOptions {
  readonly fd: number;
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Returns false when somebody else holds the lock for longer than `waitMs`. */
export async function awaitLock({ fd, waitMs, signal }: FlockOptions): Promise<boolean> {
  for (const locker of waitMs > 0 ? waiters : takers) {
    signal?.throwIfAborted();
    const found = pinnedProgram(locker[0]);
    if (isMissing(found)) continue;
    const end = await ended(found.path, locker, { fd, waitMs, signal });
    signal?.throwIfAborted();
    return verdict(locker[0], end);
  }
  throw neitherInstalled();
}

function isGiven(fd: number, lockers: readonly Locker[]): boolean {
  for (const [program, ...args] of lockers) {
    const found = pinnedProgram(program);
    if (isMissing(found)) continue;
    const { error, status, signal, stderr } = spawnSync(found.path, args, {
      argv0: program,
      stdio: ["ignore", "ignore", "pipe", fd],
    });
    return verdict(program, { error, status, signal, said: stderr?.toString() ?? "" });
  }
  throw neitherInstalled();
}

interface LockerEnd {
  readonly error?: Error | undefined;
  readonly status: number | null;
  readonly signal: string | null;
  readonly said: string;
  /** We killed it because its time was up. */
  readonly wasLate?: boolean;
}

function ended(
  path: string,
  [argv0, ...args]: Locker,
  { fd, waitMs, signal }: FlockOptions,
): Promise<LockerEnd> {
  // In its own process group: Ctrl-C is for us to handle.
  const child = spawn(path, args, { argv0, stdio: ["ignore", "ignore", "pipe", fd], detached: true });
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

/** A locker that exists but cannot be run is an error: falling back to the other one could miss locks taken with it. */
function isMissing(found: FoundProgram): found is Extract<FoundProgram, { errno: string }> {
  if (found.path === undefined && found.errno !== "ENOENT") throw lockFailure("ENOLCK", found.message);
  return found.path === undefined;
}

function verdict(program: string, { error, status, signal, said, wasLate }: LockerEnd): boolean {
  if (error) throw error;
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
