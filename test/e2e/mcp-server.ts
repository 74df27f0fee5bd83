/** `cox mcp` as a separate program: at the other end of a pipe or, with `--http`, at the port it printed. */
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { httpTransport } from "../mcp/clients.ts";
import { type Ended, program, start } from "./program.ts";

export const transports = ["stdio", "http"] as const;

export interface McpServerOptions {
  readonly folder: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a server for the client, over either transport. */
export async function connect(
  client: Client,
  over: (typeof transports)[number],
  options: McpServerOptions,
): Promise<void> {
  if (over === "stdio") return client.connect(stdioTransport(options));
  const { url, token } = await startHttp(options.folder, options.args, options.env);
  await client.connect(httpTransport(url, token));
}

export function stdioTransport({ folder, args = [], env }: McpServerOptions): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [program, "mcp", ...args],
    cwd: folder,
    stderr: "ignore",
    ...(env && { env: { ...env, PATH: process.env.PATH ?? "" } }),
  });
}

export interface HttpProgram {
  readonly url: string;
  readonly token: string;
  readonly ended: Promise<Ended>;
  /** What it has printed on stderr so far. */
  said(): string;
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

export async function startHttp(
  folder: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = homeIn(folder),
): Promise<HttpProgram> {
  const { child, ended } = start(["mcp", "--http", ...args], { cwd: folder, env });
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    return ended;
  };
  onTestFinished(async () => void (await stop("SIGKILL")));
  let said = "";
  const found = await new Promise<{ url: string; token: string }>((resolve, reject) => {
    child.stderr?.on("data", (text) => {
      said += text;
      const [, url] = /at (http:\S+)/.exec(said) ?? [];
      const [, token] = /Bearer (\S+)\n/.exec(said) ?? [];
      if (url && (token || args.includes("--token-file"))) resolve({ url, token: token ?? "" });
    });
    ended.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)));
  });
  return { ...found, ended, said: () => said, stop };
}

function homeIn(folder: string): Readonly<Record<string, string>> {
  return { HOME: join(folder, "home"), XDG_STATE_HOME: join(folder, "home", "state") };
}
