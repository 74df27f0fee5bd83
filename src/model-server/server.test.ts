import { expect, onTestFinished, test } from "vitest";
import { nodeChance } from "../world/chance.ts";
import { nodeLoopbackServers } from "../world/network/node-loopback-server.ts";
import { nodeClock } from "../world/time/clock.ts";
import type { ModelScript } from "./script.ts";
import { ModelServer, type ServedRequest } from "./server.ts";

async function serving(script: ModelScript, onRequest?: (seen: ServedRequest) => void) {
  const world = { servers: nodeLoopbackServers, clock: nodeClock, chance: nodeChance };
  const server = await ModelServer.start(world, { script, ...(onRequest ? { onRequest } : {}) });
  onTestFinished(() => server.close());
  const get = async (path: string) => (await fetch(server.url + path)).json();
  const post = (path: string, body: object) =>
    fetch(server.url + path, {
      method: "POST",
      headers: { authorization: "Bearer sk-secret", "x-api-key": "sk-secret" },
      body: JSON.stringify(body),
    });
  return { server, get, post };
}

const done: ModelScript = { conversations: { main: { steps: [{ text: "done" }] } } };
const hello = { model: "m", messages: [{ role: "user", content: "hello" }] };

test("the model server lists its models for the clients of every vendor", async () => {
  const { get } = await serving({ models: ["small", "large"] });
  expect(await get("/v1/models")).toMatchObject({
    object: "list",
    data: [
      { id: "small", object: "model", type: "model" },
      { id: "large", display_name: "large" },
    ],
    has_more: false,
  });
  expect(await get("/v1beta/models")).toMatchObject({
    models: [{ name: "models/small" }, { name: "models/large" }],
  });
});

test("the model server counts tokens, in each format that can ask for it, without playing a step", async () => {
  const { post, server } = await serving(done);
  const counted = async (path: string) => (await post(path, hello)).json();
  expect(await counted("/v1/messages/count_tokens?beta=true")).toEqual({ input_tokens: expect.any(Number) });
  expect(await counted("/v1beta/models/g:countTokens")).toEqual({ totalTokens: expect.any(Number) });
  expect(server.seen).toEqual([]);
});

test("the model server reports and keeps each request, without any key", async () => {
  const heard: ServedRequest[] = [];
  const { post, get, server } = await serving(done, (seen) => heard.push(seen));
  await post("/v1/messages", hello);
  await post("/v1/chat/completions", hello);
  expect(heard.map(({ format }) => format)).toEqual(["anthropic", "openai-chat"]);
  expect(server.seen).toEqual(heard);
  expect(await get("/requests")).toEqual(JSON.parse(JSON.stringify(heard)));
  expect(JSON.stringify(heard)).not.toContain("sk-secret");
});

test("the client's own requests are answered with data of the wanted schema", async () => {
  const steps = [{ tool: "read_file" }, { text: "done" }];
  const { post, server } = await serving({ conversations: { main: { steps } } });
  const asked = await post("/v1beta/models/flash:generateContent", {
    contents: [{ role: "user", parts: [{ text: "hello" }] }],
    generationConfig: {
      responseJsonSchema: {
        type: "object",
        properties: { complexity_score: { type: "integer", minimum: 1 }, why: { type: "string" } },
        required: ["complexity_score", "why"],
      },
    },
  });
  const { candidates } = (await asked.json()) as { candidates: { content: { parts: { text: string }[] } }[] };
  expect(JSON.parse(candidates[0]?.content.parts[0]?.text ?? "")).toEqual({ complexity_score: 1, why: "" });
  expect(server.seen).toMatchObject([{ isAside: true, conversation: "main", turn: 0 }]);
});

test("an unknown address of the model server is answered with the known ones", async () => {
  const { post } = await serving(done);
  const response = await post("/v2/messages", hello);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain("/v1/messages");
});

test("the model server answers a hundred requests at once, each with its own step", async () => {
  const { post } = await serving({});
  const asked = Array.from({ length: 100 }, async (_, at) => {
    const content = `MODEL-SCRIPT {"steps":[{"text":"answer ${at}"}]} SCRIPT-END`;
    const response = await post("/v1/messages", { messages: [{ role: "user", content }] });
    return ((await response.json()) as { content: { text: string }[] }).content[0]?.text;
  });
  expect(await Promise.all(asked)).toEqual(asked.map((_, at) => `answer ${at}`));
});

test("closing the model server ends a hanging request", async () => {
  const { post, server } = await serving({ conversations: { main: { steps: [{ hang: true }] } } });
  const asked = post("/v1/messages", hello).catch(() => "ended");
  await expect.poll(() => server.seen.length).toBe(1);
  await server.close();
  expect(await asked).toBe("ended");
});

test("scripted delays come before the answer and between its pieces, and end when the client leaves", async () => {
  const steps = [{ text: "one piece and then another piece", delayMs: 1, chunkMs: 1 }];
  const { post } = await serving({ conversations: { main: { steps } } });
  const response = await post("/v1/messages", { ...hello, stream: true });
  expect(await response.text()).toContain("message_stop");
});
