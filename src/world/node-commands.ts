/** Commands, started by Node. Each has a session of its own, so that Ctrl-C does not end git in the middle of a write. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Command, CommandEnd, Commands } from "./commands.ts";

export const nodeCommands: Commands = { run };

/** What a program says about its failure; the rest of a flood is dropped. */
const stderrBytesMax = 1_000_000;

function run(command: Command): Promise<CommandEnd> {
  const [program, ...args] = command.argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
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
    // A program may end without reading its input: how it ended says whether that was right.
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

function outputLimit({ argv, bytesMax }: Command): Error {
  const message = `${argv[0]} ${argv[1] ?? ""} printed more than ${bytesMax} bytes and was ended`;
  return Object.assign(new Error(message), { code: "OUTPUT_LIMIT" });
}
