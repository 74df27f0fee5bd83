/** A turn of the scripted agent: what it was asked is told besides what came of it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { acp } from "../../src/driver/acp.ts";
import { agentEnvironment, type OurEnvironment } from "../../src/driver/agent-environment.ts";
import type { Driver, Sign, TurnRequest } from "../../src/driver/driver.ts";
import { decodeUtf8 } from "../../src/std/utf8.ts";
import { nodePlainFiles } from "../../src/world/node-plain-files.ts";
import { nodeProcesses } from "../../src/world/node-processes.ts";
import {
  type After,
  programThat,
  rememberedIn,
  timed,
  turnIn,
  whenAsked,
} from "../driver/scripted-program.ts";

export interface Play {
  /** What the agent does, as agent.mjs names it. */
  readonly deeds?: readonly object[];
  readonly manner?: object;
}

export interface Wishes {
  readonly request?: Partial<TurnRequest>;
  readonly settings?: object;
  /** When the agent has been asked this, however long that takes, its time is over. */
  readonly timeIsUpAt?: string;
  readonly ours?: OurEnvironment;
  onSign?(sign: Sign, cancel: () => void): unknown;
}

export async function playedTurn(play: Play, { request, settings, timeIsUpAt, ours, onSign }: Wishes = {}) {
  const folder = mkdtempSync(join(tmpdir(), "cox-acp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "deeds.json");
  const turn = { ...turnIn(folder), ...request };
  const signs: Sign[] = [];
  const after = timeIsUpAt === undefined ? timed : whenAsked(timeIsUpAt, file);
  const handle = acpDriver({ after, ...(ours && { ours }) }).start(
    { ...turn, settings: { driver: "acp", command: agentThat(play, file), ...settings } },
    {
      onSign(sign) {
        signs.push(sign);
        onSign?.(sign, () => handle.cancel());
      },
    },
  );
  const outcome = await handle.outcome;
  const remembered = rememberedIn(file);
  const lines = (name: string) => remembered.flatMap((one) => (name in one ? [one[name]] : []));
  return {
    ...outcome,
    reply: decodeUtf8(outcome.reply),
    desk: turn.desk,
    signs,
    lines,
    heard: (method: string) => remembered.find((one) => one.method === method)?.params,
    answers: lines("answer").map((answer) => (answer as { outcome: Record<string, string> }).outcome),
  };
}

const program = fileURLToPath(new URL("agent.mjs", import.meta.url));

/** The command of an agent that does what the file says. */
export function agentThat(play: Play, file: string): [string, ...string[]] {
  return programThat(play, { program, file });
}

interface World {
  readonly after?: After;
  readonly ours?: OurEnvironment;
}

export function acpDriver({ after = timed, ours = { PATH: "/usr/bin:/bin" } }: World = {}): Driver {
  return acp({
    now: () => Date.now(),
    processes: nodeProcesses,
    files: nodePlainFiles,
    graceMs: 300,
    handshakeMs: 30_000,
    after,
    environmentOf: (turn, variables) => agentEnvironment(turn, ours, variables),
  });
}

/** Deeds: a piece of a message, and the answer to the prompt. */
export const piece = (text: string, more = {}) => ({
  tell: { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...more },
});
export const end = (more = {}) => ({ stop: { stopReason: "end_turn", ...more } });
export const usage = { inputTokens: 200, outputTokens: 40, totalTokens: 240 };
