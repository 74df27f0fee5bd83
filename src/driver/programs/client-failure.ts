/** What the end of a client's process means when the client itself gave no reason. */
import { unreachable } from "../../std/assert.ts";
import { oneLine } from "../../std/printable.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import type { ProcessEnd } from "../../world/processes/processes.ts";
import { notStarted } from "../command/command.ts";
import type { TurnOutcome } from "../driver.ts";
import { exitFailure, failure, outputLimitFailure, signalFailure } from "../failure.ts";
import { troubleCode, troubleFailure } from "../trouble.ts";
import type { AgentClient } from "./agent-client.ts";

export interface SilentEnd {
  readonly client: Pick<AgentClient, "title" | "install" | "signIn" | "program">;
  readonly agent: string;
  /** The program that was started, which may differ from the client's usual one. */
  readonly program: string;
  readonly ended: ProcessEnd;
  readonly lastLine: string;
  /** In seconds since 1970, if it was reported. */
  readonly resetsAt?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function clientFailure(silent: SilentEnd): TurnOutcome["ended"] {
  const { client, agent, program, ended, lastLine, resetsAt, now } = silent;
  const { how } = ended;
  switch (how.kind) {
    case "output-limit":
      return outputLimitFailure({ agent, lastLine });
    case "not-started":
      return how.errno === "ENOENT" && how.message.startsWith(program)
        ? notInstalled({ ...silent, message: how.message })
        : notStarted(how, { agent, program });
    case "signalled":
      return signalFailure({ agent, lastLine, signal: how.signal });
    case "cancelled":
    case "exited": {
      const message = lastWords(ended.stderr);
      if (troubleCode({ message }) !== undefined)
        return troubleFailure({ agent, client, resetsAt, now, trouble: { message } });
      return how.kind === "exited" && how.code !== 0
        ? exitFailure({ agent, lastLine, code: how.code })
        : noResult(silent);
    }
    default:
      return unreachable(how);
  }
}

function notInstalled({ client, agent, message }: SilentEnd & { readonly message: string }) {
  const { title, install, program } = client;
  const advice = `Install ${title} (${install}), or write where it is into the agent's entry: command: [/path/to/${program}]`;
  return failure(
    "AGENT_NOT_INSTALLED",
    `agent ${oneLine(agent)} cannot be started: ${oneLine(message)}. ${advice}`,
  );
}

export function sessionLost({ title }: Pick<AgentClient, "title">, agent: string) {
  return failure(
    "AGENT_SESSION_LOST",
    `agent ${oneLine(agent)} (${title}) no longer knows the conversation it should resume. Start a new one.`,
  );
}

function noResult({ client, agent, lastLine }: SilentEnd) {
  const said = lastLine === "" ? "" : `; its last line was: "${lastLine}"`;
  return failure(
    "AGENT_NO_RESULT",
    `agent ${oneLine(agent)} (${client.title}) ended without reporting the end of its turn${said}. It was interrupted, or its version prints different events: see cox doctor`,
  );
}

/** Its last complaints, for when its events say nothing. */
export function lastWords(stderr: Uint8Array): string {
  const lines = decodeUtf8(stderr.subarray(-4096)).trim().split("\n");
  return lines.slice(-5).join(" ");
}
