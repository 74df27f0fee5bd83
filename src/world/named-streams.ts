/**
 * The streams of a child, such that it can also open them by name.
 *
 * Node gives its children sockets, and a socket has no name to open: `cat /dev/stdin` and `echo … > /dev/stderr`, which
 * work in any shell, fail. Node cannot make a pipe, but it can open a named one, whose name is gone before anybody
 * sees it. For the input a file does better: to open a named pipe again waits for a writer who may be done already.
 */
import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { namelessFile } from "./nameless-file.ts";

export interface NamedStreams {
  /** For the child: ours to close once it is started. */
  readonly theirs: { readonly stdin: number | "ignore"; readonly stdout: number; readonly stderr: number };
  readonly stdout: Socket;
  readonly stderr: Socket;
}

/** Nothing where no pipe can be made. */
export function namedStreams(input?: Uint8Array): NamedStreams | undefined {
  if (pairs.length === 0) makePairs();
  const [pair] = pairs;
  if (!pair) return undefined;
  // What may fail comes before the pair is taken.
  const stdin = input ? namelessFile(input) : "ignore";
  pairs.shift();
  const { stdout, stderr } = pair;
  return {
    theirs: { stdin, stdout: stdout.theirs, stderr: stderr.theirs },
    stdout: reader(stdout),
    stderr: reader(stderr),
  };
}

interface Pipe {
  readonly theirs: number;
  readonly ours: number;
}

interface Pair {
  readonly stdout: Pipe;
  readonly stderr: Pipe;
}

/** Some for the programs to come: who makes them is a program too, and makes many in the time of two. */
const pairs: Pair[] = [];
const madeAtOnce = 8;

function makePairs(): void {
  const folder = mkdtempSync(join(tmpdir(), "cox-streams-"));
  try {
    const paths = Array.from({ length: madeAtOnce }, (_, at) => ({
      out: join(folder, `out${at}`),
      err: join(folder, `err${at}`),
    }));
    const made = spawnSync("mkfifo", ["-m", "600", ...paths.flatMap(({ out, err }) => [out, err])], {
      stdio: "ignore",
    });
    if (made.status !== 0) return;
    for (const { out, err } of paths) pairs.push({ stdout: openedPipe(out), stderr: openedPipe(err) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opening one end waits for the other to be open, so at first both are; reading ours must never wait. */
function openedPipe(path: string): Pipe {
  const { O_RDWR, O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  const both = openSync(path, O_RDWR);
  try {
    return { theirs: openSync(path, O_WRONLY), ours: openSync(path, O_RDONLY | O_NONBLOCK) };
  } finally {
    closeSync(both);
  }
}

function reader({ ours }: Pipe): Socket {
  return new Socket({ fd: ours, readable: true, writable: false });
}
