/** Plays all attempts in a separate process, as root or as an ordinary user, with one sandbox or none. */
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { User } from "./expected.ts";
import type { Results } from "./play.ts";

export const noSandbox = "none";

export type Played = { readonly results: Results } | { readonly impossible: string };

export interface Player {
  readonly user: User;
  /** The sandbox's name, or none. */
  readonly sandbox: string;
}

/** `house` is the folder of the clone, which must be built. */
export async function playAs({ user, sandbox }: Player, house: string): Promise<Played> {
  const program = fileURLToPath(new URL("dist/test/escape/main.js", `file://${house}`));
  const become = commandToBecome(user);
  if (typeof become === "string") return { impossible: become };
  if (spawnSync("env", [...become, "test", "-r", program]).status !== 0)
    return { impossible: "an ordinary user may not read this clone" };
  const child = spawn("env", [...become, process.execPath, program, "--sandbox", sandbox], {
    cwd: "/",
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map(textOf));
  if (!stdout) throw new Error(`the attempts were not played: ${stderr}`);
  return JSON.parse(stdout);
}

/** The user id of `nobody`, who owns nothing. */
const nobody = "65534";

/** The command that starts a program as that user, or the reason why it is not possible. */
export function commandToBecome(user: User): readonly string[] | string {
  const isRoot = process.getuid?.() === 0;
  if (user === "root") return isRoot ? [] : "only root can play root";
  if (!isRoot) return [];
  const become = ["setpriv", "--reuid", nobody, "--regid", nobody, "--clear-groups", "--"];
  if (spawnSync("env", [...become, "true"]).status === 0) return become;
  return "this machine has no way to become an ordinary user (setpriv)";
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
