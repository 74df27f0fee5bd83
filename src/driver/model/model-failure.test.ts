/** What can go wrong between us and a server, played by servers that send what a test wants. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { openFiles } from "../../world/files/choose-files.ts";
import type { AgentSettings } from "../agent-settings.ts";
import { model } from "./model.ts";
import { type ModelTrouble, refusesTools, troubleOf } from "./model-failure.ts";

let desk: string;

beforeEach(() => {
  desk = mkdtempSync(join(tmpdir(), "cox-model-"));
});

afterEach(() => rmSync(desk, { recursive: true }));

type Fetch = typeof fetch;

async function endedWith(respond: Fetch, settings: Partial<AgentSettings> = {}, retriesMax = 0) {
  const driver = model({
    files: openFiles(),
    environment: {
      MY_KEY: "sk-secret-1",
      BROKEN_KEY: "half\nkey",
      ANTHROPIC_API_KEY: "sk-other",
      OPENAI_API_KEY: "sk-other",
    },
    fetch: respond,
    now: () => 0,
    retriesMax,
  });
  const { ended } = await driver.start({
    ...{ turn: "t1", run: "r1", task: "users", attempt: 1, agent: "ada", role: "developer" },
    ...{ mode: "proposal", fence: "cox-5ac1", prompt: "Please.", readOnly: [], desk, scratch: desk },
    settings: { driver: "model", api: "openai", url: "http://127.0.0.1:1/v1", model: "m1", ...settings },
  }).outcome;
  return ended;
}

const anthropic = { api: "anthropic", url: "http://127.0.0.1:1/v1" } as const;

function events(...data: readonly object[]): Response {
  const text = data.map((one) => `event: x\ndata: ${JSON.stringify(one)}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

test.each([
  ["http://127.0.0.1:11434/v1", /Is Ollama running\?/],
  ["http://127.0.0.1:1234/v1", /Is LM Studio's server running\?/],
  ["http://127.0.0.1:9/v1", /Nothing listens at 127.0.0.1:9/],
])("if no server listens at %s, the message says so", async (url, words) => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const ended = await endedWith(
    async () => Promise.reject(new TypeError("fetch failed", { cause: refused })),
    { url },
  );
  expect(ended).toMatchObject({ code: "AGENT_API", message: expect.stringMatching(words) });
});

test("a model server's closed port is reported as one", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  const ended = await endedWith(fetch, { url: `http://127.0.0.1:${port}/v1` });
  expect(ended).toMatchObject({ code: "AGENT_API", message: expect.stringContaining("Nothing listens at") });
});

test("a request to a model follows no redirect to another server, which would get the key", async () => {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? "");
    response.writeHead(307, { location: `http://127.0.0.1:${port}/stolen` }).end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ended = await endedWith(fetch, { url: `http://127.0.0.1:${port}/v1`, key: "MY_KEY" });
  expect(ended).toMatchObject({ kind: "failed", code: "AGENT_API" });
  expect(heard).toEqual(["/v1/chat/completions"]);
});

test.each(["anthropic", "openai"] as const)(
  "over the API of %s the configured key is sent, and no other",
  async (api) => {
    const sent: string[] = [];
    const respond: Fetch = async (_, init) => {
      sent.push(JSON.stringify([...new Headers(init?.headers)]));
      return new Response("{}", { status: 500 });
    };
    await endedWith(respond, { api, key: "MY_KEY" });
    await endedWith(respond, { api });
    expect(sent[0]).toContain("sk-secret-1");
    expect(sent[1]).not.toContain("sk-");
  },
);

test("a key that does not fit into a header is reported before it is sent, and not repeated", async () => {
  const never: Fetch = async () => Promise.reject(new Error("asked"));
  const ended = await endedWith(never, { key: "BROKEN_KEY" });
  expect(ended).toMatchObject({
    code: "AGENT_NOT_SIGNED_IN",
    message: expect.stringContaining("BROKEN_KEY"),
  });
  expect(JSON.stringify(ended)).not.toContain("half");
});

test("a model server that fails for a moment is asked again, a limited number of times", async () => {
  let asked = 0;
  const respond: Fetch = async () => {
    asked += 1;
    return new Response('{"error":{"message":"busy"}}', { status: 503, headers: { "retry-after-ms": "1" } });
  };
  expect(await endedWith(respond, {}, 2)).toMatchObject({
    code: "AGENT_API",
    message: expect.stringContaining("busy"),
  });
  expect(asked).toBe(3);
});

test("a rate limit that ends in a moment is waited for; a longer one is reported at once", async () => {
  let asked = 0;
  const respond = (headers: Record<string, string>) => async () => {
    asked += 1;
    return new Response('{"error":{"message":"slow down"}}', { status: 429, headers });
  };
  await endedWith(respond({ "retry-after-ms": "1" }), {}, 2);
  expect(asked).toBe(3);
  asked = 0;
  expect(await endedWith(respond({ "retry-after": "60" }), {}, 2)).toEqual({
    kind: "failed",
    code: "AGENT_RATE_LIMIT",
    resetsAt: 60_000,
    message:
      'agent ada (m1) has reached a limit of its model: "slow down". It resets at 1970-01-01T00:01:00.000Z. Resume after that, or give the task to another agent.',
  });
  expect(asked).toBe(1);
});

const begun = {
  type: "message_start",
  message: {
    id: "1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};

test.each([
  [
    "an error in mid-stream",
    anthropic,
    [begun, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
    "AGENT_API",
  ],
  [
    "an error first",
    anthropic,
    [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
    "AGENT_API",
  ],
  ["a stream without an end", anthropic, [begun], "AGENT_NO_RESULT"],
  ["an error in mid-stream", {}, [{ error: { message: "the server is gone", code: 500 } }], "AGENT_API"],
  ["no data at all", {}, [], "AGENT_NO_RESULT"],
  ["events of another kind", {}, [{ type: "ping" }, { x: 1 }], "AGENT_API"],
  [
    "a context that is full",
    anthropic,
    [
      begun,
      {
        type: "message_delta",
        delta: { stop_reason: "model_context_window_exceeded", stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: "message_stop" },
    ],
    "AGENT_CONTEXT",
  ],
])("%s (%o) is a failure", async (_, settings, data, code) => {
  const ended = await endedWith(async () => events(...data), settings);
  expect(ended).toMatchObject({ kind: "failed", code, message: expect.stringMatching(/^agent ada \(m1\) /) });
});

test.each([
  [200, "text/html", "<html>Please log in to the WiFi</html>"],
  [404, "text/html", "<html>not found</html>"],
  [400, "application/json", "{"],
])("an answer of status %i that is no answer (%s) is a failure", async (status, type, body) => {
  const ended = await endedWith(
    async () => new Response(body, { status, headers: { "content-type": type } }),
  );
  expect(ended).toMatchObject({
    kind: "failed",
    code: expect.stringMatching(/^AGENT_(API|NO_RESULT|NOT_SIGNED_IN)$/),
  });
});

test("anything thrown while a model is asked becomes a failure with a message", () => {
  for (const thrown of [
    undefined,
    null,
    1,
    "x",
    {},
    [],
    new Error("y"),
    { lastError: null },
    { cause: { cause: 1 } },
  ])
    expect(typeof troubleOf(thrown).message).toBe("string");
});

const said = (status: number, message: string): ModelTrouble => ({
  status,
  message,
  headers: {},
  isCut: false,
});

test.each([
  [400, "registry.ollama.ai/library/gemma:2b does not support tools", true],
  [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', true],
  [404, "No endpoints found that support tool use.", true],
  [422, "unexpected field: tools", true],
  [400, "prompt is too long", false],
  [500, "tools are not supported", false],
  [400, "messages.2: tool_use ids were found without tool_result blocks", false],
])("status %i with %j means that the model knows no tools: %s", (status, message, refuses) => {
  expect(refusesTools(said(status, message))).toBe(refuses);
});
