/**
 * Runs commands with Node. Each has a session of its own, so that Ctrl-C does not stop git in the middle of a write.
 */
import type { Socket } from "node:net";
import { constants } from "node:os";
import type { Readable, Stream } from "node:stream";
import type { CommandEnd, CommandRequest, Commands, OpenCommand, OpenCommandRequest } from "./commands.ts";
import { pinnedProgram } from "./program/pinned-programs.ts";
import { spawn } from "./spawn.ts";

export const nodeCommands: Commands = { run, open };

/** Enough for what a program says about its failure; the rest of a flood is dropped. */
const stderrBytesMax = 1_000_000;

function run(command: CommandRequest): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const child = started(command);
    const stderr = collected(child.stderr);
    const stdout: Buffer[] = [];
    let stdoutBytes = 0;

    child.stdout.on("data", (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes <= command.bytesMax) stdout.push(chunk);
      else child.kill("SIGKILL");
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (stdoutBytes > command.bytesMax) reject(outputLimit(command));
      else resolve({ code: exitCode(code, signal), stdout: Buffer.concat(stdout), stderr: stderr() });
    });
    child.stdin.end(command.input);
  });
}

function open(command: OpenCommandRequest): OpenCommand {
  const child = started(command);
  const stderr = collected(child.stderr);
  child.stdout.on("data", command.onOutput);
  // When it could not be started, "close" follows with the errno as its code.
  child.on("error", () => {});
  child.on("close", (code, signal) =>
    command.onEnd({ code: exitCode(code, signal), stderr: stderr(), wasKilled: signal !== null }),
  );
  // Node's types do not say that the streams of a child process are sockets.
  const handles = [child, ...([child.stdin, child.stdout, child.stderr] as Stream[] as Socket[])];
  return {
    write: (bytes) => child.stdin.write(bytes),
    setAwaited(isAwaited) {
      for (const handle of handles) isAwaited ? handle.ref() : handle.unref();
    },
    close: () => child.stdin.end(),
  };
}

function started({ argv, folder, environment, lookIn, starts = [] }: Omit<CommandRequest, "bytesMax">) {
  const [program, ...args] = argv;
  const found = pinnedProgram(program, lookIn ?? environment.PATH);
  for (const name of starts) pinnedProgram(name, environment.PATH);
  if (found.path === undefined) throw Object.assign(new Error(found.message), { code: found.errno });
  const child = spawn(found.path, args, {
    argv0: program,
    cwd: folder,
    env: environment,
    stdio: "pipe",
    detached: true,
  });
  // A program may end without reading its input: its exit code says whether that was right.
  child.stdin.on("error", () => {});
  return child;
}

/** What was printed there so far. */
function collected(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    if (bytes < stderrBytesMax) chunks.push(chunk);
    bytes += chunk.length;
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return signal === null ? (code ?? 0) : 128 + constants.signals[signal];
}

function outputLimit({ argv, bytesMax }: CommandRequest): Error {
  const message = `${argv[0]} ${argv[1] ?? ""} printed more than ${bytesMax} bytes and was ended`;
  return Object.assign(new Error(message), { code: "OUTPUT_LIMIT" });
}
