/**
 * Streams for a child process that it can also open by name.
 *
 * Node gives its children sockets, and a socket cannot be opened by name: `cat /dev/stdin` and `echo … > /dev/stderr`,
 * which work in any shell, fail. Node cannot make a pipe, but it can open a named one, whose name is removed before
 * anybody sees it. For the input a file works better: opening a named pipe again would wait for a writer that may
 * already be done.
 */
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { namelessFile } from "../files/nameless-file.ts";
import { pinnedProgram } from "./program/pinned-programs.ts";
import { spawnSync } from "./spawn.ts";

export interface NamedStreams {
  /** The child's ends. We close them once it is started. */
  readonly theirs: { readonly stdin: number | "ignore"; readonly stdout: number; readonly stderr: number };
  readonly stdout: Socket;
  readonly stderr: Socket;
}

/** `undefined` when no pipe can be made. */
export function namedStreams(input?: Uint8Array): NamedStreams | undefined {
  if (pairs.length === 0) makePairs();
  const [pair] = pairs;
  if (!pair) return undefined;
  // Do what may fail before taking the pair.
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

/** A supply for later programs: making pipes takes a program too, which makes many as fast as two. */
const pairs: Pair[] = [];
const madeAtOnce = 8;

function makePairs(): void {
  const { path: mkfifo } = pinnedProgram("mkfifo");
  if (mkfifo === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "cox-streams-"));
  try {
    const paths = Array.from({ length: madeAtOnce }, (_, at) => ({
      out: join(folder, `out${at}`),
      err: join(folder, `err${at}`),
    }));
    const made = spawnSync(mkfifo, ["-m", "600", ...paths.flatMap(({ out, err }) => [out, err])], {
      argv0: "mkfifo",
      stdio: "ignore",
    });
    if (made.status !== 0) return;
    for (const { out, err } of paths) pairs.push({ stdout: openedPipe(out), stderr: openedPipe(err) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opening one end waits for the other, so both are opened together first. Reading our end must never block. */
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
