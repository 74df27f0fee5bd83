import { expect, test } from "vitest";
import type { ModelReply } from "./model-reply.ts";
import { openaiChat } from "./openai-chat.ts";

const reply: ModelReply = {
  id: "1",
  model: "m",
  at: 1_000,
  thinking: "",
  text: "Hi",
  calls: [{ id: "1_0", name: "read", input: { path: "a" }, isCustom: false }],
  usage: { input: 10, output: 5, cacheRead: 90 },
  stop: "tools",
};
const usage = {
  prompt_tokens: 100,
  completion_tokens: 5,
  total_tokens: 105,
  prompt_tokens_details: { cached_tokens: 90 },
};

test("an OpenAI chat reply in one piece is a completion", () => {
  expect(openaiChat.whole(reply)).toEqual({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "Hi",
          tool_calls: [
            { id: "call_1_0", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
          ],
        },
        logprobs: null,
        finish_reason: "tool_calls",
      },
    ],
    usage,
  });
});

test("an OpenAI chat stream has these chunks; usage only if it is asked for", () => {
  const chunk = (delta: string, finish = "null") =>
    `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]}\n\n`;
  const chunks = [
    chunk('{"role":"assistant","content":""}'),
    chunk('{"content":"Hi"}'),
    chunk(
      '{"tool_calls":[{"index":0,"id":"call_1_0","type":"function","function":{"name":"read","arguments":""}}]}',
    ),
    chunk('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"path\\":\\"a\\"}"}}]}'),
    chunk("{}", '"tool_calls"'),
  ];
  expect(openaiChat.frames(reply, { body: {} })).toEqual([...chunks, "data: [DONE]\n\n"]);
  const told = openaiChat.frames(reply, { body: { stream_options: { include_usage: true } } });
  expect(told.slice(chunks.length)).toEqual([
    `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":${JSON.stringify(usage)}}\n\n`,
    "data: [DONE]\n\n",
  ]);
});

test("thinking is sent over OpenAI chat as servers that have it do", () => {
  const [, thought] = openaiChat.frames({ ...reply, thinking: "hm" }, { body: {} });
  expect(thought).toContain('"delta":{"reasoning_content":"hm"}');
});

test("an OpenAI chat request is read: system and developer texts, several results, a schema", () => {
  const body = {
    model: "m",
    messages: [
      { role: "system", content: "One." },
      { role: "developer", content: [{ type: "text", text: "Two." }] },
      { role: "user", content: [{ type: "text", text: "Do it" }] },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: '{"a":1' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "held" },
    ],
    response_format: { type: "json_schema", json_schema: { name: "x", schema: { type: "string" } } },
  };
  expect(openaiChat.read(body, { operation: "generate" })).toEqual({
    format: "openai-chat",
    model: "m",
    stream: false,
    system: "One.\nTwo.",
    tools: [],
    turns: [
      { role: "user", text: "Do it", results: [] },
      { role: "assistant", text: "", calls: [{ id: "c1", name: "read", input: '{"a":1' }] },
      { role: "user", text: "", results: [{ id: "c1", text: "held" }] },
    ],
    schema: { type: "string" },
  });
});

test("an OpenAI chat failure has a type, and a code where programs decide by it", () => {
  expect(openaiChat.failure({ status: 401, message: "no" }).body).toEqual({
    error: { message: "no", type: "invalid_request_error", param: null, code: "invalid_api_key" },
  });
  expect(openaiChat.failure({ status: 500, message: "no", type: "odd" }).body).toMatchObject({
    error: { type: "odd", code: "odd" },
  });
});
