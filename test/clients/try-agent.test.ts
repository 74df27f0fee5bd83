/** `cox agents test` with each real program: it answers, and it writes nothing though its model wants to. */
import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { ModelServer } from "../../src/model-server/server.ts";
import { nodeChance } from "../../src/world/chance.ts";
import { nodeLoopbackServers } from "../../src/world/network/node-loopback-server.ts";
import { nodeClock } from "../../src/world/time/clock.ts";
import { crews } from "./crews.ts";
import { preparePlan } from "./plan-run.ts";

for (const client of crews) {
  test(`${client.title} ${client.version} is found and answers when it is tried`, async ({ skip }) => {
    const model = await ModelServer.start(
      { servers: nodeLoopbackServers, clock: nodeClock, chance: nodeChance },
      {
        script: {
          conversations: {
            aside: { when: { model: "small" }, steps: [{ text: "A test" }] },
            main: { steps: [client.write("written.txt", "not allowed\n"), { text: "ready" }] },
          },
        },
      },
    );
    onTestFinished(() => model.close());
    const { world, env } = await preparePlan(client, { url: model.url, skip });
    const { cox } = world.with({ env });
    const { programs } = JSON.parse((await cox("agents", "--json")).stdout);
    const found = programs.find(({ driver }: { driver: string }) => driver === client.driver);
    expect(found).toMatchObject({ installed: true, version: client.version });
    const before = readdirSync(world.root);
    const { exitCode, stdout, stderr } = await cox("agents", "test", "tess", "--json");
    expect(exitCode, stdout + stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, reply: "ready", spent: { tokens: 240 } });
    expect(JSON.parse(stdout).session).toMatch(/^[\w-]{10,}/);
    expect(readdirSync(world.root)).toEqual(before);
  });
}
