/**
 * Runs commands with Node. Each has a session of its own, so that Ctrl-C does not stop git in the middle of a write.
 */
import { constants } from "node:os";
import type { CommandEnd, CommandRequest, Commands } from "./commands.ts";
import { pinnedProgram } from "./pinned-programs.ts";
import { spawn } from "./spawn.ts";

export const nodeCommands: Commands = { run };

/** Enough for what a program says about its failure; the rest of a flood is dropped. */
const stderrBytesMax = 1_000_000;

function run(command: CommandRequest): Promise<CommandEnd> {
  const [program, ...args] = command.argv;
  return new Promise((resolve, reject) => {
    const { lookIn, starts = [], environment } = command;
    const found = pinnedProgram(program, lookIn ?? environment.PATH);
    for (const name of starts) pinnedProgram(name, environment.PATH);
    if (found.path === undefined) throw Object.assign(new Error(found.message), { code: found.errno });
    const child = spawn(found.path, args, {
      argv0: program,
      cwd: command.folder,
      env: command.environment,
      stdio: "pipe",
      detached: true,
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let [stdoutBytes, stderrBytes] = [0, 0];

    child.stdout.on("data", (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes <= command.bytesMax) stdout.push(chunk);
      else child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderrBytes < stderrBytesMax) stderr.push(chunk);
      stderrBytes += chunk.length;
    });
    // A program may end without reading its input: its exit code says whether that was right.
    child.stdin.on("error", () => {});
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (stdoutBytes > command.bytesMax) reject(outputLimit(command));
      else {
        const ended = signal === null ? (code ?? 0) : 128 + constants.signals[signal];
        resolve({
          code: ended,
          stdout: Buffer.concat(stdout),
          stderr: Buffer.concat(stderr).toString("utf8"),
        });
      }
    });
    child.stdin.end(command.input);
  });
}

function outputLimit({ argv, bytesMax }: CommandRequest): Error {
  const message = `${argv[0]} ${argv[1] ?? ""} printed more than ${bytesMax} bytes and was ended`;
  return Object.assign(new Error(message), { code: "OUTPUT_LIMIT" });
}
