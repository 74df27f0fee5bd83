/** `cox model-server`: serves a model that answers from a script, for trying out agents without a key or a network. */
import { readModelScript } from "../../model-server/read-script.ts";
import type { ModelScript } from "../../model-server/script.ts";
import { ModelServer, type ServedRequest } from "../../model-server/server.ts";
import { counted } from "../../std/counted.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Shaped } from "../../std/shaped-yaml.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { LineFile, LineFiles } from "../../world/files/line-file.ts";
import type { LoopbackServers } from "../../world/network/loopback-server.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { readInput } from "../reply/input.ts";
import { tellProblems } from "../tell-problems.ts";

export interface ModelServerPorts {
  readonly servers: LoopbackServers;
  readonly lineFiles: LineFiles;
}

/** Serves until interrupted, which is the intended way to end it. */
export async function modelServer(door: CommandContext, ports: ModelServerPorts): Promise<ExitCode> {
  const refused = (problems: readonly Problem[]) => tellProblems(door, "model-server", problems, exit.usage);
  const port = readPort(door.values.one("port") ?? "0");
  if (typeof port !== "number") return refused([port]);
  const reading = await scriptOf(door);
  if ("problems" in reading) return refused(reading.problems);
  const log = openLog(door.values.one("log"), ports.lineFiles);
  if (log && "problem" in log) return refused([log.problem]);
  try {
    return await serve(door, ports.servers, { script: reading.value, port, log });
  } catch (error) {
    const problem = portProblem(port, errnoOf(error));
    if (!problem) throw error;
    return refused([problem]);
  } finally {
    log?.close();
  }
}

interface ServeOptions {
  readonly script: ModelScript;
  readonly port: number;
  readonly log: LineFile | undefined;
}

async function serve(
  door: CommandContext,
  servers: LoopbackServers,
  { script, port, log }: ServeOptions,
): Promise<ExitCode> {
  const { clock, chance, terminal, signal } = door;
  let count = 0;
  const onRequest = (seen: ServedRequest) => {
    count += 1;
    log?.add(jsonText(seen).trimEnd());
  };
  const server = await ModelServer.start({ servers, clock, chance }, { script, port, onRequest });
  terminal.print(terminal.json ? jsonText({ ok: true, url: server.url }) : `${server.url}\n`);
  terminal.notice(howToUse(server.url));
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await server.close();
  terminal.notice(`${counted(count, "request")} answered.\n`);
  return exit.done;
}

function howToUse(url: string): string {
  return `
Claude Code   ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=any
Gemini CLI    GOOGLE_GEMINI_BASE_URL=${url} GEMINI_API_KEY=any
OpenAI        base_url ${url}/v1, any key: Responses and Chat Completions
Requests      curl ${url}/requests
Ctrl-C ends it.

`;
}

async function scriptOf({ values, stdin, signal }: CommandContext): Promise<Shaped<ModelScript>> {
  const name = values.one("script");
  const hint = "Type: cox model-server --script FILE";
  if (name === undefined) return { problems: [{ code: "USAGE", message: "no script was named", hint }] };
  const input = await readInput(name, stdin, signal, { what: "script", hint });
  return "problem" in input ? { problems: [input.problem] } : readModelScript(input.bytes);
}

function readPort(given: string): number | Problem {
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (port <= 65_535) return port;
  const message = `--port is a number from 0 to 65535, not ${quote(given, 60)}`;
  return { code: "USAGE", message, hint: "Leave it out to use any free port." };
}

function portProblem(port: number, errno: string | undefined): Problem | undefined {
  const why = { EADDRINUSE: "another program listens there", EACCES: "you may not listen there" }[
    errno ?? ""
  ];
  if (why === undefined) return undefined;
  const message = `port ${port} is not available: ${why} (${errno})`;
  return { code: "PORT_TAKEN", message, hint: "Leave --port out to use any free port." };
}

function openLog(name: string | undefined, files: LineFiles): LineFile | undefined | { problem: Problem } {
  if (name === undefined) return undefined;
  try {
    return files.open(name);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    const message = `the log cannot be written: ${oneLine(name)} (${errno})`;
    return {
      problem: {
        code: "LOG_UNWRITABLE",
        path: name,
        message,
        hint: "Name a file in an existing folder.",
      },
    };
  }
}
