/** A turn of the scripted app server: what it was asked is told besides what came of it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Driver, SignOfLife, Tried, TurnRecord } from "../../src/driver/driver.ts";
import { codexDriver } from "../../src/driver/programs/codex-driver.ts";
import { decodeUtf8 } from "../../src/std/utf8.ts";
import { openFiles } from "../../src/world/files/choose-files.ts";
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

interface AtDesk extends Play {
  readonly files?: Readonly<Record<string, string>>;
}

export async function playedTurn(
  { files = {}, ...play }: AtDesk,
  { request, settings, timeIsUpAt, ours, onSign }: ScriptedProgramOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "cox-codex-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "scratch", "deeds.json");
  const turn = { ...turnIn(folder, files), mode: "proposal" as const, ...request };
  const signs: SignOfLife[] = [];
  const tried: Tried[] = [];
  const records: TurnRecord[] = [];
  const after = timeUntil(timeIsUpAt, file);
  const handle = driverOfCodex({ after, ...(ours && { ours }) }).start(
    { ...turn, settings: { driver: "codex", command: serverThat(play, file), ...settings } },
    {
      onTried: (one) => tried.push(one),
      onRecord: (one) => records.push(one),
      onSign(sign) {
        signs.push(sign);
        onSign?.(sign, () => handle.cancel());
      },
    },
  );
  const outcome = await handle.outcome;
  const remembered = rememberedIn(file);
  return {
    ...outcome,
    reply: decodeUtf8(outcome.reply),
    desk: turn.desk,
    signs,
    tried,
    records,
    actions: signs.flatMap((sign) => (sign.kind === "action" ? [sign.words] : [])),
    /** What the edits come to in the end, by path. */
    operations: [
      ...new Map(tried.map(({ path, operations }) => [path, operations])).values(),
    ].flat() as Record<string, unknown>[],
    asked: remembered.flatMap(({ method }) => (typeof method === "string" ? [method] : [])),
    heard: (method: string) => remembered.find((one) => one.method === method)?.params,
    argv: remembered.find((one) => one.method === "initialize")?.argv as string[] | undefined,
    answers: remembered.flatMap((one) => ("answer" in one ? [one.answer] : [])),
  };
}

const program = fileURLToPath(new URL("app-server.mjs", import.meta.url));

/** The command of an app server that does what the file says. */
export function serverThat(play: Play, file: string): [string, ...string[]] {
  return programThat(play, { program, file });
}

export function driverOfCodex(world?: ScriptedWorld): Driver {
  return codexDriver({ ...scriptedWorld(world), deskFiles: openFiles() });
}
