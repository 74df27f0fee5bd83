/** OpenAI's Chat Completions API, `POST /v1/chat/completions`, which most other servers speak too. */
import type { Json } from "../std/canonical-json.ts";
import { field, list, parsedOr, text, textOf, textOfAll } from "./any-json.ts";
import type { ModelReply, ReplyUsage, Stop } from "./model-reply.ts";
import type { ModelMessage, OfferedTool } from "./model-request.ts";
import { openaiFailure } from "./openai-failure.ts";
import { frame, pieces, type WireFormat } from "./wire-format.ts";

export const openaiChat: WireFormat = {
  name: "openai-chat",

  route: (path) => (path.endsWith("/chat/completions") ? { operation: "generate" } : undefined),

  read(body) {
    const messages = list(field(body, "messages"));
    const isInstruction = (one: Json) => ["system", "developer"].includes(text(field(one, "role")));
    const schema = field(field(field(body, "response_format"), "json_schema"), "schema");
    return {
      format: "openai-chat",
      model: text(field(body, "model")),
      stream: field(body, "stream") === true,
      system: textOfAll(messages.filter(isInstruction).map((one) => field(one, "content"))),
      tools: list(field(body, "tools")).map(offered),
      turns: messages.filter((one) => !isInstruction(one)).map(turn),
      ...(schema === undefined ? {} : { schema }),
    };
  },

  whole(reply) {
    const { thinking, text, calls, stop, usage } = reply;
    const message = {
      role: "assistant",
      content: text === "" ? null : text,
      ...(thinking === "" ? {} : { reasoning_content: thinking }),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }),
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: finishReasons[stop] };
    return { ...head(reply, "chat.completion"), choices: [choice], usage: used(usage) };
  },

  frames(reply, { body }) {
    const { thinking, text, calls, stop, usage } = reply;
    const chunk = (delta: Json, finish_reason: string | null = null) => ({
      ...head(reply, "chat.completion.chunk"),
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
    const deltas: Json[] = [
      { role: "assistant", content: "" },
      ...pieces(thinking).map((piece) => ({ reasoning_content: piece })),
      ...pieces(text).map((piece) => ({ content: piece })),
      ...calls.flatMap((call, index) => {
        const { function: called, ...rest } = toolCall(call);
        return [
          { tool_calls: [{ index, ...rest, function: { ...called, arguments: "" } }] },
          ...pieces(called.arguments).map((piece) => ({
            tool_calls: [{ index, function: { arguments: piece } }],
          })),
        ];
      }),
    ];
    const wantsUsage = field(field(body, "stream_options"), "include_usage") === true;
    const chunks: Json[] = [
      ...deltas.map((delta) => chunk(delta)),
      chunk({}, finishReasons[stop]),
      ...(wantsUsage ? [{ ...head(reply, "chat.completion.chunk"), choices: [], usage: used(usage) }] : []),
    ];
    return [...chunks.map((one) => frame(one)), "data: [DONE]\n\n"];
  },

  failure: openaiFailure,
  tokens: (count) => ({ total_tokens: count }),
};

const finishReasons: Readonly<Record<Stop, string>> = {
  end: "stop",
  tools: "tool_calls",
  length: "length",
  refusal: "content_filter",
};

function offered(tool: Json): OfferedTool {
  return { name: text(field(field(tool, "function"), "name")) };
}

/** A `tool` message answers one call. Several in a row become several user turns, which makes no difference. */
function turn(message: Json): ModelMessage {
  const content = textOf(field(message, "content"));
  if (field(message, "role") === "tool") {
    const id = text(field(message, "tool_call_id"));
    return { role: "user", text: "", results: [{ id, text: content }] };
  }
  if (field(message, "role") !== "assistant") return { role: "user", text: content, results: [] };
  const calls = list(field(message, "tool_calls")).map((call) => ({
    id: text(field(call, "id")),
    name: text(field(field(call, "function"), "name")),
    input: parsedOr(text(field(field(call, "function"), "arguments"))),
  }));
  return { role: "assistant", text: content, calls };
}

function head({ id, at, model }: ModelReply, object: string) {
  return { id: `chatcmpl-${id}`, object, created: Math.floor(at / 1000), model };
}

function toolCall({ id, name, input }: ModelReply["calls"][number]) {
  return { id: `call_${id}`, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

function used({ input, output, cacheRead }: ReplyUsage) {
  const prompt = input + cacheRead;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  };
}
