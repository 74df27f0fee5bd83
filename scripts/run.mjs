import { spawn } from "node:child_process";

/**
 * Runs a program to its end and keeps what it said. A program that cannot be started is an exit code of 127
 * with the reason as its output: for whoever asks, it is one more way to fail.
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    const chunks = [];
    child.stdout?.on("data", (chunk) => chunks.push(chunk));
    child.stderr?.on("data", (chunk) => chunks.push(chunk));
    child.on("error", (error) =>
      resolve({ code: 127, output: `${program} could not be started: ${error.message}` }),
    );
    child.on("close", (code, signal) => {
      const output = Buffer.concat(chunks).toString("utf8");
      resolve(signal === null ? { code, output } : { code: 1, output: `${output}\nended by ${signal}` });
    });
  });
}
