/**
 * A lock that the kernel keeps: flock(2) on an open file, which Node cannot call itself.
 *
 * A child is handed the descriptor, locks it and ends; the lock belongs to the open file that we share with it,
 * so it stays ours until we close the file or die, SIGKILL included. Where there is no `flock` program (macOS),
 * perl makes the same system call. Where there is neither, we refuse: a lock by process numbers or by time would
 * let a second writer in after a reuse or a suspend, and nobody would know.
 */
import { spawnSync } from "node:child_process";

type Locker = readonly [program: string, ...args: string[]];

const takers: readonly Locker[] = [
  ["flock", "-n", "-x", "3"],
  ["perl", "-MErrno", "-e", `${perlWith(6)}; exit 0`],
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

function isGiven(fd: number, lockers: readonly Locker[]): boolean {
  for (const [program, ...args] of lockers) {
    const ended = spawnSync(program, args, { stdio: ["ignore", "ignore", "pipe", fd] });
    if (ended.error && "code" in ended.error && ended.error.code === "ENOENT") continue;
    if (ended.error) throw ended.error;
    if (ended.status === 127) continue;
    if (ended.status === 0) return true;
    if (ended.status === 1) return false;
    const reason = ended.stderr.toString().trim() || `it ended with ${ended.status ?? ended.signal}`;
    throw lockFailure("ENOLCK", `${program} could not lock the file: ${reason}`);
  }
  throw lockFailure("ENOSYS", "the file cannot be locked: neither flock (util-linux) nor perl is installed");
}

function lockFailure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
