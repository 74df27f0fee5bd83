import { expect, test } from "vitest";
import type { ModelReply } from "./model-reply.ts";
import { openaiResponses } from "./openai-responses.ts";

const reply: ModelReply = {
  id: "1",
  model: "m",
  at: 1_000,
  thinking: "",
  text: "Hi",
  calls: [{ id: "1_0", name: "read", namespace: "mcp__x", input: { path: "a" }, isCustom: false }],
  usage: { input: 10, output: 5, cacheRead: 90 },
  stop: "tools",
};

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Hi", annotations: [] }],
};
const call = {
  id: "fc_1_0",
  type: "function_call",
  status: "completed",
  call_id: "call_1_0",
  name: "read",
  namespace: "mcp__x",
  arguments: '{"path":"a"}',
};

test("an OpenAI response in one piece has an item for each part; a call names its namespace", () => {
  expect(openaiResponses.whole(reply)).toEqual({
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    error: null,
    incomplete_details: null,
    model: "m",
    output: [message, call],
    parallel_tool_calls: true,
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 90 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 105,
    },
  });
});

test("an OpenAI response stream has these events, numbered", () => {
  const events = openaiResponses.frames(reply, { body: {} }).map((frame) => {
    const [, name, data = ""] = /^event: (.*)\ndata: (.*)\n\n$/.exec(frame) ?? [];
    const { type, ...rest } = JSON.parse(data);
    expect(type).toBe(name);
    return [type, rest];
  });
  const part = { item_id: "msg_1", output_index: 0, content_index: 0 };
  expect(events.slice(2, -1)).toEqual([
    [
      "response.output_item.added",
      { sequence_number: 2, output_index: 0, item: { ...message, status: "in_progress", content: [] } },
    ],
    [
      "response.content_part.added",
      { sequence_number: 3, ...part, part: { type: "output_text", text: "", annotations: [] } },
    ],
    ["response.output_text.delta", { sequence_number: 4, ...part, delta: "Hi" }],
    ["response.output_text.done", { sequence_number: 5, ...part, text: "Hi" }],
    ["response.content_part.done", { sequence_number: 6, ...part, part: message.content[0] }],
    ["response.output_item.done", { sequence_number: 7, output_index: 0, item: message }],
    [
      "response.output_item.added",
      { sequence_number: 8, output_index: 1, item: { ...call, status: "in_progress", arguments: "" } },
    ],
    [
      "response.function_call_arguments.delta",
      { sequence_number: 9, item_id: "fc_1_0", output_index: 1, delta: '{"path":"a"}' },
    ],
    [
      "response.function_call_arguments.done",
      { sequence_number: 10, item_id: "fc_1_0", output_index: 1, arguments: '{"path":"a"}' },
    ],
    ["response.output_item.done", { sequence_number: 11, output_index: 1, item: call }],
  ]);
  expect(events.map(([type]) => type)).toEqual(
    expect.arrayContaining(["response.created", "response.in_progress", "response.completed"]),
  );
  expect(events.at(-1)).toMatchObject(["response.completed", { response: { status: "completed" } }]);
});

test("a tool that takes text is called with text over OpenAI responses", () => {
  const patch = { id: "1_0", name: "apply_patch", input: "*** Begin Patch", isCustom: true };
  expect(openaiResponses.whole({ ...reply, text: "", calls: [patch] })).toMatchObject({
    output: [
      {
        id: "ctc_1_0",
        type: "custom_tool_call",
        call_id: "call_1_0",
        name: "apply_patch",
        input: "*** Begin Patch",
      },
    ],
  });
});

test("an OpenAI response that is cut by its length is incomplete, in its last event too", () => {
  const cut: ModelReply = { ...reply, calls: [], stop: "length" };
  expect(openaiResponses.whole(cut)).toMatchObject({
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
  });
  expect(openaiResponses.frames(cut, { body: {} }).at(-1)).toMatch(/^event: response.incomplete\n/);
});

test("thinking is a summary of reasoning in an OpenAI response", () => {
  expect(openaiResponses.whole({ ...reply, thinking: "hm" })).toMatchObject({
    output: [
      { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
      message,
      call,
    ],
  });
});

test("a request of Codex is read: groups of tools, items of one reply as one turn, instructions within", () => {
  const body = {
    model: "m",
    stream: true,
    instructions: "You are.",
    tools: [
      { type: "function", name: "exec_command" },
      { type: "custom", name: "apply_patch" },
      { type: "namespace", name: "mcp__x", tools: [{ type: "function", name: "read" }] },
      { type: "web_search" },
    ],
    input: [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Sandboxed." }] },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Do it" }] },
      { type: "reasoning", summary: [], content: null },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
      { type: "function_call", call_id: "c1", name: "read", namespace: "mcp__x", arguments: '{"a":1}' },
      { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "*** Begin" },
      { type: "function_call_output", call_id: "c1", output: [{ type: "input_text", text: "held" }] },
      { type: "custom_tool_call_output", call_id: "c2", output: "patched" },
    ],
    text: { format: { type: "json_schema", schema: { type: "object" } } },
  };
  expect(openaiResponses.read(body, { operation: "generate" })).toEqual({
    format: "openai-responses",
    model: "m",
    stream: true,
    system: "You are.\nSandboxed.",
    tools: [
      { name: "exec_command" },
      { name: "apply_patch", isCustom: true },
      { name: "read", namespace: "mcp__x" },
      { name: "web_search" },
    ],
    turns: [
      { role: "user", text: "Do it", results: [] },
      {
        role: "assistant",
        text: "I look.",
        calls: [
          { id: "c1", name: "read", input: { a: 1 } },
          { id: "c2", name: "apply_patch", input: "*** Begin" },
        ],
      },
      { role: "user", text: "", results: [{ id: "c1", text: "held" }] },
      { role: "user", text: "", results: [{ id: "c2", text: "patched" }] },
    ],
    schema: { type: "object" },
  });
});

test("an OpenAI response prompt that is only a text is the user's", () => {
  expect(openaiResponses.read({ input: "Hi" }, { operation: "generate" }).turns).toEqual([
    { role: "user", text: "Hi", results: [] },
  ]);
});
