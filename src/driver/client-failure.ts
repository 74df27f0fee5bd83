/** How a client fails that says nothing of its own about it. */
import { oneLine } from "../std/printable.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import type { AgentClient } from "./agent-client.ts";
import { failure } from "./failure.ts";

export function notInstalled(
  client: Pick<AgentClient, "title" | "install" | "program">,
  { agent, message }: { agent: string; message: string },
) {
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
    `agent ${oneLine(agent)} (${title}) does not know the conversation any more that it should have gone on with. Begin a new one.`,
  );
}

export function noResult(
  { title }: Pick<AgentClient, "title">,
  { agent, lastLine }: { agent: string; lastLine: string },
) {
  const said = lastLine === "" ? "" : `; its last line was: "${lastLine}"`;
  return failure(
    "AGENT_NO_RESULT",
    `agent ${oneLine(agent)} (${title}) ended without saying that its turn is over${said}. It was interrupted, or its version prints other events: see cox doctor`,
  );
}

/** What it complained of last, where its events say nothing. */
export function lastWords(stderr: Uint8Array): string {
  const lines = decodeUtf8(stderr.subarray(-4096)).trim().split("\n");
  return lines.slice(-5).join(" ");
}
