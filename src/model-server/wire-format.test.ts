import { expect, test } from "vitest";
import type { Json } from "../std/canonical-json.ts";
import { field, list, text } from "./any-json.ts";
import type { Speaker, WireAnswer, WireToolCall } from "./wire-format.contract.ts";
import { wireFormatContract } from "./wire-format.contract.ts";

const at = (value: Json | undefined, ...path: (string | number)[]) =>
  path.reduce<Json | undefined>(
    (inner, key) => (typeof key === "number" ? list(inner)[key] : field(inner, key)),
    value,
  );
const number = (value: Json | undefined) => (typeof value === "number" ? value : Number.NaN);
const joined = (texts: readonly (Json | undefined)[]) => texts.map(text).join("");

const anthropic: Speaker = {
  name: "anthropic",
  path: () => "/v1/messages",
  body: ({ system, prompt, tools, stream, since = [] }) => ({
    model: "scripted",
    max_tokens: 100,
    system: [{ type: "text", text: system }],
    stream,
    tools: tools.map((name) => ({ name, input_schema: { type: "object" } })),
    messages: [{ role: "user", content: prompt }, ...since],
  }),
  readWhole: (body) => anthropicRequest(list(field(body, "content")), field(body, "usage")),
  readStream(frames) {
    if (field(frames.at(-1), "type") !== "message_stop") return undefined;
    const blocks = frames.filter((frame) => field(frame, "type") === "content_block_start");
    const whole = blocks.map((start) => {
      const deltas = frames
        .filter((frame) => field(frame, "type") === "content_block_delta")
        .filter((frame) => field(frame, "index") === field(start, "index"))
        .map((frame) => field(frame, "delta"));
      const block = field(start, "content_block") as { readonly [key: string]: Json };
      if (block.type === "text") return { ...block, text: joined(deltas.map((one) => field(one, "text"))) };
      return { ...block, input: JSON.parse(joined(deltas.map((one) => field(one, "partial_json")))) as Json };
    });
    const ended = frames.find((frame) => field(frame, "type") === "message_delta");
    const usage = { input_tokens: at(frames[0], "message", "usage", "input_tokens") ?? null };
    return anthropicRequest(whole, { ...usage, output_tokens: at(ended, "usage", "output_tokens") ?? null });
  },
  result: ({ id, name, input }, said) => [
    { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
    // Claude Code puts such messages in the middle.
    { role: "system", content: [] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: [{ type: "text", text: said }] }],
    },
  ],
  errorOf: (body) => ({ message: at(body, "error", "message"), type: at(body, "error", "type") }),
  retrySeconds: (headers) => headers.get("retry-after"),
  rateLimited: "rate_limit_error",
};

function anthropicRequest(content: readonly Json[], usage: Json | undefined): WireAnswer {
  const calls = content
    .filter((block) => field(block, "type") === "tool_use")
    .map((block) => ({
      id: text(field(block, "id")),
      name: text(field(block, "name")),
      input: field(block, "input") ?? null,
    }));
  return {
    text: joined(content.map((block) => field(block, "text"))),
    calls,
    usage: { input: number(field(usage, "input_tokens")), output: number(field(usage, "output_tokens")) },
  };
}

const openaiChat: Speaker = {
  name: "openai-chat",
  path: () => "/v1/chat/completions",
  body: ({ system, prompt, tools, stream, since = [] }) => ({
    model: "scripted",
    stream,
    stream_options: { include_usage: true },
    tools: tools.map((name) => ({ type: "function", function: { name, parameters: {} } })),
    messages: [{ role: "system", content: system }, { role: "user", content: prompt }, ...since],
  }),
  readWhole: (body) => chatRequest(at(body, "choices", 0, "message"), field(body, "usage")),
  readStream(frames) {
    if (frames.at(-1) !== "[DONE]") return undefined;
    const deltas = frames.map((frame) => at(frame, "choices", 0, "delta"));
    const parts = deltas.map((delta) => at(delta, "tool_calls", 0)).filter((part) => part !== undefined);
    const tool_calls = parts
      .filter((part) => field(part, "id") !== undefined)
      .map((begun) => {
        const own = parts.filter((part) => field(part, "index") === field(begun, "index"));
        const given = joined(own.map((part) => at(part, "function", "arguments")));
        return {
          id: field(begun, "id") ?? null,
          function: { name: at(begun, "function", "name") ?? null, arguments: given },
        };
      });
    const content = joined(deltas.map((delta) => field(delta, "content")));
    return chatRequest({ content, tool_calls }, field(frames.at(-2), "usage"));
  },
  result: ({ id, name, input }, said) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(input) } }],
    },
    { role: "tool", tool_call_id: id, content: said },
  ],
  errorOf: (body) => ({ message: at(body, "error", "message"), type: at(body, "error", "code") }),
  retrySeconds: (headers) => headers.get("retry-after"),
  rateLimited: "rate_limit_exceeded",
};

function chatRequest(message: Json | undefined, usage: Json | undefined): WireAnswer {
  const calls = list(field(message, "tool_calls")).map(
    (call): WireToolCall => ({
      id: text(field(call, "id")),
      name: text(at(call, "function", "name")),
      input: JSON.parse(text(at(call, "function", "arguments"))) as Json,
    }),
  );
  return {
    text: text(field(message, "content")),
    calls,
    usage: {
      input: number(field(usage, "prompt_tokens")),
      output: number(field(usage, "completion_tokens")),
    },
  };
}

const openaiResponses: Speaker = {
  name: "openai-responses",
  path: () => "/v1/responses",
  body: ({ system, prompt, tools, stream, since = [] }) => ({
    model: "scripted",
    stream,
    instructions: system,
    tools: tools.map((name) => ({ type: "function", name, parameters: {} })),
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }, ...since],
  }),
  readWhole: (body) => responsesRequest(body),
  readStream(frames) {
    const last = frames.at(-1);
    if (field(last, "type") !== "response.completed") return undefined;
    const done = frames
      .filter((frame) => field(frame, "type") === "response.output_item.done")
      .map((frame) => field(frame, "item") ?? null);
    expect(at(last, "response", "output")).toEqual(done);
    const heard = responsesRequest(field(last, "response") ?? null);
    const streamed = (type: string) =>
      joined(frames.filter((frame) => field(frame, "type") === type).map((frame) => field(frame, "delta")));
    expect(streamed("response.output_text.delta")).toBe(heard.text);
    expect(streamed("response.function_call_arguments.delta")).toBe(
      heard.calls.map(({ input }) => JSON.stringify(input)).join(""),
    );
    return heard;
  },
  result: ({ id, name, input }, said) => [
    { type: "reasoning", summary: [] },
    { type: "function_call", call_id: id, name, arguments: JSON.stringify(input) },
    { type: "function_call_output", call_id: id, output: said },
  ],
  errorOf: (body) => ({ message: at(body, "error", "message"), type: at(body, "error", "code") }),
  retrySeconds: (headers) => headers.get("retry-after"),
  rateLimited: "rate_limit_exceeded",
};

function responsesRequest(response: Json): WireAnswer {
  const items = list(field(response, "output"));
  const ofType = (type: string) => items.filter((item) => field(item, "type") === type);
  return {
    text: joined(ofType("message").map((item) => at(item, "content", 0, "text"))),
    calls: ofType("function_call").map((item) => ({
      id: text(field(item, "call_id")),
      name: text(field(item, "name")),
      input: JSON.parse(text(field(item, "arguments"))) as Json,
    })),
    usage: {
      input: number(at(response, "usage", "input_tokens")),
      output: number(at(response, "usage", "output_tokens")),
    },
  };
}

const gemini: Speaker = {
  name: "gemini",
  path: (stream) => `/v1beta/models/scripted:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  body: ({ system, prompt, tools, since = [] }) => ({
    systemInstruction: { role: "user", parts: [{ text: system }] },
    tools: [{ functionDeclarations: tools.map((name) => ({ name })) }],
    contents: [{ role: "user", parts: [{ text: prompt }] }, ...since],
  }),
  readWhole: (body) => geminiRequest([body]),
  readStream(frames) {
    const isComplete = at(frames.at(-1), "candidates", 0, "finishReason") !== undefined;
    return isComplete ? geminiRequest(frames) : undefined;
  },
  result: ({ id, name, input }, said) => [
    { role: "model", parts: [{ functionCall: { id, name, args: input } }] },
    { role: "user", parts: [{ functionResponse: { id, name, response: { output: said } } }] },
  ],
  errorOf: (body) => ({ message: at(body, "error", "message"), type: at(body, "error", "status") }),
  retrySeconds: (_, body) => text(at(body, "error", "details", 0, "retryDelay")).replace("s", ""),
  rateLimited: "RESOURCE_EXHAUSTED",
};

function geminiRequest(bodies: readonly Json[]): WireAnswer {
  const parts = bodies.flatMap((body) => list(at(body, "candidates", 0, "content", "parts")));
  const calls = parts.map((part) => field(part, "functionCall")).filter((call) => call !== undefined);
  const usage = field(bodies.at(-1), "usageMetadata");
  return {
    text: joined(parts.map((part) => field(part, "text"))),
    calls: calls.map((call) => ({
      id: text(field(call, "id")),
      name: text(field(call, "name")),
      input: field(call, "args") ?? null,
    })),
    usage: {
      input: number(field(usage, "promptTokenCount")),
      output: number(field(usage, "candidatesTokenCount")),
    },
  };
}

const speakers = [anthropic, openaiResponses, openaiChat, gemini];
for (const speaker of speakers) wireFormatContract(speaker);

test("every wire format that is served is covered by these tests", async () => {
  const { formatNames } = await import("./model-request.ts");
  expect(speakers.map(({ name }) => name).sort()).toEqual([...formatNames].sort());
});
