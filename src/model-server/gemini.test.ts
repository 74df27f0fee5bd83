import { expect, test } from "vitest";
import { geminiFormat } from "./gemini.ts";
import type { ModelReply } from "./model-reply.ts";

const reply: ModelReply = {
  id: "1",
  model: "g",
  at: 0,
  thinking: "hm",
  text: "Hi",
  calls: [{ id: "1_0", name: "read_file", input: { path: "a" }, isCustom: false }],
  usage: { input: 10, output: 5, cacheRead: 90 },
  stop: "tools",
};

const usageMetadata = {
  promptTokenCount: 100,
  candidatesTokenCount: 5,
  totalTokenCount: 105,
  cachedContentTokenCount: 90,
};
const thought = { text: "hm", thought: true };
const said = { text: "Hi" };
const called = { functionCall: { id: "call_1_0", name: "read_file", args: { path: "a" } } };

test("a Gemini reply in one piece has all its parts in one candidate", () => {
  expect(geminiFormat.whole(reply)).toEqual({
    candidates: [
      { content: { role: "model", parts: [thought, said, called] }, finishReason: "STOP", index: 0 },
    ],
    usageMetadata,
    modelVersion: "g",
    responseId: "1",
  });
});

test("a Gemini stream has a part in each frame, and its end and usage in the last", () => {
  const frames = geminiFormat.frames(reply, { body: {} });
  expect(frames.every((frame) => /^data: .*\n\n$/.test(frame))).toBe(true);
  const ids = { modelVersion: "g", responseId: "1" };
  const piece = (part: object) => ({
    candidates: [{ content: { role: "model", parts: [part] }, index: 0 }],
    ...ids,
  });
  expect(frames.map((frame) => JSON.parse(frame.slice("data: ".length)))).toEqual([
    piece(thought),
    piece(said),
    {
      candidates: [{ content: { role: "model", parts: [called] }, finishReason: "STOP", index: 0 }],
      usageMetadata,
      ...ids,
    },
  ]);
});

test("a Gemini request is read: instructions, declarations, results and errors of tools, a schema", () => {
  const body = {
    systemInstruction: { role: "user", parts: [{ text: "You are." }] },
    tools: [{ functionDeclarations: [{ name: "read_file" }, { name: "mcp_x_y" }] }],
    generationConfig: { responseJsonSchema: { type: "object" } },
    contents: [
      { role: "user", parts: [{ text: "Do" }, { text: "it" }] },
      { role: "model", parts: [{ functionCall: { id: "c1", name: "mcp_x_y", args: { a: 1 } } }] },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c1", name: "mcp_x_y", response: { output: "held" } } },
          { functionResponse: { name: "read_file", response: { error: "not there" } } },
          { functionResponse: { id: "c3", name: "z", response: { other: 1 } } },
        ],
      },
    ],
  };
  const route = { operation: "generate", model: "g", stream: true } as const;
  expect(geminiFormat.read(body, route)).toEqual({
    format: "gemini",
    model: "g",
    stream: true,
    system: "You are.",
    tools: [{ name: "read_file" }, { name: "mcp_x_y" }],
    turns: [
      { role: "user", text: "Do\nit", results: [] },
      { role: "assistant", text: "", calls: [{ id: "c1", name: "mcp_x_y", input: { a: 1 } }] },
      {
        role: "user",
        text: "",
        results: [
          { id: "c1", text: "held" },
          { id: "read_file", text: "not there", isError: true },
          { id: "c3", text: '{"other":1}' },
        ],
      },
    ],
    schema: { type: "object" },
  });
});

test("a Gemini rate limit says in its details when to ask again", () => {
  expect(geminiFormat.failure({ status: 429, message: "slow", reset: { at: 0, seconds: 60 } }).body).toEqual({
    error: {
      code: 429,
      message: "slow",
      status: "RESOURCE_EXHAUSTED",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "60s" }],
    },
  });
});

test.for([
  ["/v1beta/models/g:generateContent", { operation: "generate", model: "g", stream: false }],
  ["/v1beta/models/g-2.5-x:streamGenerateContent", { operation: "generate", model: "g-2.5-x", stream: true }],
  ["/v1/models/g:countTokens", { operation: "count", model: "g" }],
  ["/v1beta/models/g:embedContent", undefined],
  ["/v1beta/models/g", undefined],
] as const)("%s", ([path, route]) => {
  expect(geminiFormat.route(path)).toEqual(route);
});
