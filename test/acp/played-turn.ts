/** A turn of the scripted agent: what it was asked is told besides what came of it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { acp } from "../../src/driver/acp/acp.ts";
import type { Driver, SignOfLife } from "../../src/driver/driver.ts";
import { decodeUtf8 } from "../../src/std/utf8.ts";
import {
  type Play,
  programThat,
  rememberedIn,
  type ScriptedProgramOptions,
  type ScriptedWorld,
  scriptedWorld,
  timeUntil,
  turnIn,
} from "../driver/scripted-program.ts";

export async function playedTurn(
  play: Play,
  { request, settings, timeIsUpAt, ours, onSign }: ScriptedProgramOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "cox-acp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "scratch", "deeds.json");
  const turn = { ...turnIn(folder), ...request };
  const signs: SignOfLife[] = [];
  const after = timeUntil(timeIsUpAt, file);
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

export function acpDriver(world?: ScriptedWorld): Driver {
  return acp(scriptedWorld(world));
}

/** Deeds: a piece of a message, and the answer to the prompt. */
export const piece = (text: string, more = {}) => ({
  tell: { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...more },
});
export const end = (more = {}) => ({ stop: { stopReason: "end_turn", ...more } });
export const usage = { inputTokens: 200, outputTokens: 40, totalTokens: 240 };
