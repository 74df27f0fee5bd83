/** What every test with a real client needs: the program, a model server, a home and a folder, all gone afterwards. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { ModelScript } from "../../src/model-server/script.ts";
import { ModelServer } from "../../src/model-server/server.ts";
import { nodeChance } from "../../src/world/chance.ts";
import { nodeLoopbackServers } from "../../src/world/network/node-loopback-server.ts";
import { nodeClock } from "../../src/world/time/clock.ts";
import type { Client, Place } from "./client.ts";
import { fetched } from "./fetched.ts";
import { taskServer } from "./task-server.ts";

export interface SettingOptions {
  /** For what the prompt's own script does not say. */
  readonly script?: ModelScript;
  /** What is in the folder. */
  readonly files: Readonly<Record<string, string>>;
  skip(reason: string): never;
}

export interface Setting {
  readonly place: Place;
  readonly model: ModelServer;
}

export async function setting(
  client: Client,
  { script = {}, files, skip }: SettingOptions,
): Promise<Setting> {
  const found = await fetched(client);
  if ("missing" in found) return skip(found.missing);
  const world = { servers: nodeLoopbackServers, clock: nodeClock, chance: nodeChance };
  const model = await ModelServer.start(world, { script });
  onTestFinished(() => model.close());
  const folder = temporary(files);
  return {
    model,
    place: { program: found.path, home: temporary(), folder, model: model.url, server: taskServer },
  };
}

function temporary(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cox-client-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
