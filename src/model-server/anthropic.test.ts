import { expect, test } from "vitest";
import { anthropic } from "./anthropic.ts";
import type { ModelReply } from "./model-reply.ts";

const reply: ModelReply = {
  id: "1",
  model: "claude",
  at: 0,
  thinking: "hm",
  text: "Hi",
  calls: [{ id: "1_0", name: "Read", input: { path: "a" }, isCustom: false }],
  usage: { input: 10, output: 5, cacheRead: 90 },
  stop: "tools",
};

test("an Anthropic reply in one piece is a message", () => {
  expect(anthropic.whole(reply)).toEqual({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [
      { type: "thinking", thinking: "hm", signature: "c2NyaXB0ZWQ=" },
      { type: "text", text: "Hi" },
      { type: "tool_use", id: "toolu_1_0", name: "Read", input: { path: "a" } },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 90,
      output_tokens: 5,
    },
  });
});

test("an Anthropic stream has these events, each with its name before it", () => {
  const frames = anthropic.frames(reply, { body: {} });
  const events = [
    '{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2NyaXB0ZWQ="}}',
    '{"type":"content_block_stop","index":0}',
    '{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}',
    '{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hi"}}',
    '{"type":"content_block_stop","index":1}',
    '{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1_0","name":"Read","input":{}}}',
    '{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"path\\":\\"a\\"}"}}',
    '{"type":"content_block_stop","index":2}',
    '{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":5}}',
    '{"type":"message_stop"}',
  ];
  expect(frames.slice(1)).toEqual(
    events.map((event) => `event: ${JSON.parse(event).type}\ndata: ${event}\n\n`),
  );
  expect(frames[0]).toMatch(/^event: message_start\ndata: \{"type":"message_start","message":\{"id":"msg_1"/);
});

test("a request of Claude Code is read: system texts before and within, tools, results of both shapes", () => {
  const body = {
    model: "claude",
    stream: true,
    system: [{ type: "text", text: "You are." }],
    tools: [{ name: "DeferredToolPlaceholder" }, { name: "mcp__x__y" }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "<system-reminder>" },
          { type: "text", text: "Do it" },
        ],
      },
      { role: "system", content: "# Environment" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "mcp__x__y", input: { a: 1 } }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: "no", is_error: true },
          { type: "text", text: "and" },
        ],
      },
    ],
    output_config: { format: { type: "json_schema", schema: { type: "object" } } },
  };
  expect(anthropic.read(body, { operation: "generate" })).toEqual({
    format: "anthropic",
    model: "claude",
    stream: true,
    system: "You are.\n# Environment",
    tools: [{ name: "DeferredToolPlaceholder" }, { name: "mcp__x__y" }],
    turns: [
      { role: "user", text: "<system-reminder>\nDo it", results: [] },
      { role: "assistant", text: "", calls: [{ id: "t1", name: "mcp__x__y", input: { a: 1 } }] },
      { role: "user", text: "and", results: [{ id: "t1", text: "no", isError: true }] },
    ],
    schema: { type: "object" },
  });
});

test("an Anthropic rate limit names its reset as a time and in seconds", () => {
  const reset = { at: Date.UTC(2026, 0, 1), seconds: 60 };
  expect(anthropic.failure({ status: 429, message: "slow", reset })).toEqual({
    body: { type: "error", error: { type: "rate_limit_error", message: "slow" }, request_id: null },
    headers: {
      "retry-after": "60",
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": "2026-01-01T00:00:00.000Z",
      "anthropic-ratelimit-unified-status": "rejected",
      "anthropic-ratelimit-unified-reset": "1767225600",
    },
  });
});

test.for([
  ["/v1/messages", { operation: "generate" }],
  ["/v1/messages/count_tokens", { operation: "count" }],
  ["/v1/messages/batches", undefined],
] as const)("%s", ([path, route]) => {
  expect(anthropic.route(path)).toEqual(route);
});
