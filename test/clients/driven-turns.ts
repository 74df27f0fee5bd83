/** Turns of a real program without a run around them: at one desk, one after the other. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { TurnHandle, TurnObserver, TurnOutcome } from "../../src/driver/driver.ts";
import { makeDrivers } from "../../src/driver/drivers.ts";
import type { WorkMode } from "../../src/driver/work-modes.ts";
import type { ModelScript } from "../../src/model-server/script.ts";
import { ModelServer } from "../../src/model-server/server.ts";
import { nodeChance } from "../../src/world/chance.ts";
import { openFiles } from "../../src/world/files/choose-files.ts";
import { nodePlainFiles } from "../../src/world/files/node-plain-files.ts";
import { nodeLoopbackServers } from "../../src/world/network/node-loopback-server.ts";
import { nodeProcesses } from "../../src/world/processes/node-processes.ts";
import { nodeClock } from "../../src/world/time/clock.ts";
import { nodeRunClock } from "../../src/world/time/node-run-clock.ts";
import type { CrewClient } from "./crew.ts";
import { fetched } from "./fetched.ts";

export interface DrivenTurn {
  readonly prompt: string;
  readonly role?: string;
  readonly mode?: WorkMode;
  readonly resume?: string;
}

export interface Driven {
  readonly model: ModelServer;
  readonly desk: string;
  start(turn: DrivenTurn, observer?: TurnObserver): TurnHandle;
  play(turn: DrivenTurn): Promise<TurnOutcome>;
}

export async function drivenTurns(client: CrewClient, skip: (reason: string) => never): Promise<Driven> {
  const found = await fetched(client);
  if ("missing" in found) return skip(found.missing);
  const script: ModelScript = {
    // Titles and the like, which some ask of a smaller model.
    conversations: { aside: { when: { model: "small" }, steps: [{ text: "Words" }] } },
  };
  const servers = { servers: nodeLoopbackServers, clock: nodeClock, chance: nodeChance };
  const model = await ModelServer.start(servers, { script });
  onTestFinished(() => model.close());
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cox-driven-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const [home, desk, scratch] = [join(folder, "home"), join(folder, "desk"), join(folder, "scratch")];
  for (const path of [home, desk]) mkdirSync(path);
  for (const [path, text] of Object.entries(client.home(model.url))) {
    mkdirSync(join(home, dirname(path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const environment = {
    ...{ HOME: home, XDG_CONFIG_HOME: join(home, ".config"), LANG: "C.UTF-8" },
    PATH: [dirname(found.path), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
    ...client.env(model.url),
  };
  const files = { files: nodePlainFiles, deskFiles: openFiles() };
  const world = { processes: nodeProcesses, ...files, fetch, clock: nodeRunClock(), environment };
  const driver = makeDrivers(world).find(client.driver);
  if (!driver) throw new Error(`no driver ${client.driver}`);
  const settings = { driver: client.driver, ...(client.agentModel && { model: client.agentModel }) };
  const start: Driven["start"] = ({ role = "developer", mode = "desk", ...turn }, observer) => {
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(scratch);
    const about = { turn: "t1", run: "r1", task: "users", attempt: 1, agent: "ada", fence: "cox-5ac1" };
    const places = { desk, scratch, readOnly: [] };
    return driver.start({ ...about, ...places, role, mode, settings, ...turn }, observer);
  };
  return { model, desk, start, play: (turn) => start(turn).outcome };
}
