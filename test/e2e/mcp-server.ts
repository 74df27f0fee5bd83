/** `cox mcp --http` as a program of its own, with the port and token it printed. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Ended, start } from "./program.ts";

export interface HttpProgram {
  readonly url: string;
  readonly token: string;
  readonly ended: Promise<Ended>;
  /** What it said on stderr until now. */
  said(): string;
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

export async function startHttp(folder: string, args: readonly string[] = []): Promise<HttpProgram> {
  const env = { HOME: join(folder, "home"), XDG_STATE_HOME: join(folder, "home", "state") };
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
