/**
 * The streams of a child, such that it can also open them by name.
 *
 * Node gives its children sockets, and a socket has no name to open: `cat /dev/stdin` and `echo … > /dev/stderr`, which
 * work in any shell, fail. Node cannot make a pipe, but it can open a named one, whose name is gone before anybody
 * sees it. For the input a file does better: to open a named pipe again waits for a writer who may be done already.
 */
import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface NamedStreams {
  /** For the child: ours to close once it is started. */
  readonly theirs: { readonly stdin: number | "ignore"; readonly stdout: number; readonly stderr: number };
  readonly stdout: Socket;
  readonly stderr: Socket;
}

/** Nothing where no pipe can be made. */
export function namedStreams(input?: Uint8Array): NamedStreams | undefined {
  const folder = mkdtempSync(join(tmpdir(), "cox-streams-"));
  try {
    const [out, err, into] = ["stdout", "stderr", "stdin"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    if (spawnSync("mkfifo", ["-m", "600", out, err], { stdio: "ignore" }).status !== 0) return undefined;
    const stdin = input ? openedFile(into, input) : "ignore";
    const [stdout, stderr] = [openedPipe(out), openedPipe(err)];
    return {
      theirs: { stdin, stdout: stdout.theirs, stderr: stderr.theirs },
      stdout: stdout.ours,
      stderr: stderr.ours,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openedFile(path: string, bytes: Uint8Array): number {
  writeFileSync(path, bytes, { mode: 0o600, flag: "wx" });
  return openSync(path, constants.O_RDONLY);
}

/** Opening one end waits for the other to be open, so at first both are; reading ours must never wait. */
function openedPipe(path: string): { theirs: number; ours: Socket } {
  const { O_RDWR, O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  const both = openSync(path, O_RDWR);
  const theirs = openSync(path, O_WRONLY);
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  closeSync(both);
  return { theirs, ours: new Socket({ fd, readable: true, writable: false }) };
}
