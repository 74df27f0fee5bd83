/** A crew of bare models, over both APIs, run by the real program. */
import { readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import type { ModelScript, ModelStep } from "../../src/model-server/script.ts";
import { ModelServer } from "../../src/model-server/server.ts";
import { nodeChance } from "../../src/world/chance.ts";
import { nodeLoopbackServers } from "../../src/world/network/node-loopback-server.ts";
import { nodeClock } from "../../src/world/time/clock.ts";
import { certificateFor } from "../certificate.ts";
import { tunnellingProxy } from "../tunnelling-proxy.ts";
import { RunWorld } from "./run-world.ts";

const plan = `---
verify: test -f greeting.txt
---
# Greetings

## Tasks

- [ ] Write the greeting
- [ ] Write the farewell
  - Needs: write-the-greeting
`;

const key = "sk-test-4kX9vTq2mN8wLr5yBz7d";

async function crewOf(
  api: string,
  conversations: Readonly<Record<string, readonly ModelStep[]>>,
  { host }: { readonly host?: string } = {},
) {
  const script: ModelScript = {
    conversations: Object.fromEntries(
      Object.entries(conversations).map(([prompt, steps]) => [
        prompt,
        { when: { prompt }, steps: [...steps] },
      ]),
    ),
  };
  const server = await ModelServer.start(
    { servers: nodeLoopbackServers, clock: nodeClock, chance: nodeChance },
    { script },
  );
  onTestFinished(() => server.close());
  const place = `driver: model, model: big, api: ${api}, url: ${host ?? server.url}/v1, key: MY_MODEL_KEY`;
  const agents = `agents:\n  ada: { ${place} }\n  tess: { profile: auditor, ${place} }\n`;
  const world = new RunWorld({
    plan,
    agents: {},
    config: `${agents}roles:\n  auditor: [tess]\nturn-attempts: 2\n`,
  });
  return { world, server, typing: world.with({ env: { MY_MODEL_KEY: key } }) };
}

const create = (path: string, content: string) => ({
  operations: [{ operation: "create", file_path: path, description: "write the file", content }],
});
const ready = { specialist_summary: "Written.", signal: "READY FOR AUDIT" };
const pass = { verdict: "PASS", summary: "As it should be.", evidence: [] };

test.each(["anthropic", "openai"])(
  "a plan is done over the API of %s, and the key is stored nowhere",
  async (api) => {
    const { world, server, typing } = await crewOf(api, {
      "# Judge this task: Write the greeting": [
        { tool: "read_file", input: { path: "greeting.txt" } },
        // It has no such tool, so nothing happens.
        { tool: "propose_operations", input: create("evil.txt", "x") },
        { tool: "submit_reply", input: pass },
      ],
      "# Judge this task: Write the farewell": [{ text: "AUDIT PASSED - write-the-farewell" }],
      "# Your task: Write the greeting": [
        {
          text: "I begin.\nCheckpoint: begun",
          tool: "list_files",
          input: {},
          usage: { input: 1000, output: 10 },
        },
        {
          tool: "propose_operations",
          input: create("greeting.txt", "Hello.\n"),
          usage: { input: 2000, output: 20 },
        },
        { tool: "submit_reply", input: ready, usage: { input: 3000, output: 30 } },
      ],
      "# Your task: Write the farewell": [
        { tool: "read_file", input: { path: "greeting.txt" } },
        {
          tool: "submit_reply",
          input: { ...ready, file_operations: create("farewell.txt", "Goodbye.\n").operations },
        },
      ],
    });
    const { exitCode, stdout, stderr } = await typing.cox("run", "plan.md", "--yes", "--json");
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ending: "done" });
    expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
    expect(world.show("greeting.txt")).toBe("Hello.");
    expect(world.show("farewell.txt")).toBe("Goodbye.");
    expect(world.tree().join("\n")).not.toContain("evil");

    const tokens = world.eventsOf("agent_complete").map(({ spent }) => (spent as { tokens: number }).tokens);
    expect(tokens).toEqual([6060, 360, 240, 120]);
    expect(world.eventsOf("agent_checkpoint")).toMatchObject([{ text: "begun" }]);
    expect(world.eventsOf("agent_started")).toEqual([]);
    const [read] = server.seen.filter(
      ({ conversation, turn }) => conversation?.includes("farewell") && turn === 1,
    );
    expect(JSON.stringify(read?.turns)).toContain("Hello.");
    expect(filesHolding(key, world.folder)).toEqual([]);
    expect(stdout + stderr).not.toContain(key);
  },
);

test("a model behind a proxy is reached through it, and the proxy cannot read the conversation", async ({
  skip,
}) => {
  const certificate =
    certificateFor("models.test") ?? skip("openssl, which makes a certificate, is not there");
  const doing = (path: string, content: string) => [
    { tool: "propose_operations", input: create(path, content) },
    { tool: "submit_reply", input: ready },
  ];
  const { world, server } = await crewOf(
    "openai",
    {
      "# Judge": [{ tool: "submit_reply", input: pass }],
      "# Your task: Write the greeting": doing("greeting.txt", "Hello.\n"),
      "# Your task: Write the farewell": doing("farewell.txt", "Goodbye.\n"),
    },
    { host: "https://models.test" },
  );
  const wrapped = createTlsServer(certificate, (client) => {
    const model = connect(Number(new URL(server.url).port), "127.0.0.1");
    model.pipe(client).on("error", () => model.destroy());
    client.pipe(model).on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => wrapped.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void wrapped.close());
  const proxy = await tunnellingProxy((wrapped.address() as AddressInfo).port);
  const env = { MY_MODEL_KEY: key, HTTPS_PROXY: proxy.address, NODE_EXTRA_CA_CERTS: certificate.path };
  const { exitCode, stderr } = await world.with({ env }).cox("run", "plan.md", "--yes");
  expect(exitCode, stderr).toBe(0);
  expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
  expect(proxy.asked.length).toBeGreaterThan(0);
  expect(proxy.asked.every((one) => one.startsWith("models.test:443 ") && !one.includes(key))).toBe(true);
});

test("a turn during which cox was killed leaves nothing behind, and the next turn does the task", async () => {
  const work: ModelStep = {
    tool: "submit_reply",
    input: { ...ready, file_operations: create("greeting.txt", "Hello.\n").operations },
  };
  const { world, server, typing } = await crewOf("openai", {
    "# Judge this task": [{ tool: "submit_reply", input: pass }],
    "# Your task: Write the greeting": [{ hang: "midway", text: "I begin, and think.", times: 1 }, work],
    "# Your task: Write the farewell": [
      {
        tool: "submit_reply",
        input: { ...ready, file_operations: create("farewell.txt", "Goodbye.\n").operations },
      },
    ],
  });
  const { child, ended } = typing.start("run", "plan.md", "--yes");
  while (server.seen.length === 0) await sleep(30);
  child.kill("SIGKILL");
  await ended;
  const { exitCode, stderr } = await typing.cox("resume");
  expect(exitCode, stderr).toBe(0);
  expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
  expect(world.logDamage()).toBeUndefined();
});

test("a missing API key is reported with the name of its variable", async () => {
  const { world, server } = await crewOf("anthropic", {});
  const { exitCode } = await world.cox("run", "plan.md", "--yes");
  expect(exitCode).not.toBe(0);
  expect(server.seen).toEqual([]);
  const [crashed] = world.eventsOf("agent_crashed");
  expect(crashed).toMatchObject({ code: "AGENT_NOT_SIGNED_IN" });
  expect(crashed?.message).toContain("the variable MY_MODEL_KEY is not set");
});

/** The paths of files below a folder that contain the text. */
function filesHolding(text: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, "latin1").includes(text));
}
