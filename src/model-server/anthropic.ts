/**
 * Anthropic's Messages API: `POST /v1/messages` and `/v1/messages/count_tokens`.
 *
 * Claude Code puts messages with the role `system` between the others; they count as instructions, not as turns.
 */
import type { Json } from "../std/canonical-json.ts";
import { field, list, text, textOf, textOfAll } from "./any-json.ts";
import type { ModelReply, ReplyUsage, Stop } from "./model-reply.ts";
import type { ModelMessage, OfferedTool } from "./model-request.ts";
import { frame, pieces, type WireFormat } from "./wire-format.ts";

export const anthropic: WireFormat = {
  name: "anthropic",

  route(path) {
    if (path.endsWith("/v1/messages")) return { operation: "generate" };
    return path.endsWith("/v1/messages/count_tokens") ? { operation: "count" } : undefined;
  },

  read(body) {
    const messages = list(field(body, "messages"));
    const within = messages.filter((one) => field(one, "role") === "system");
    const schema = field(field(field(body, "output_config"), "format"), "schema");
    return {
      format: "anthropic",
      model: text(field(body, "model")),
      stream: field(body, "stream") === true,
      system: textOfAll([field(body, "system"), ...within.map((one) => field(one, "content"))]),
      tools: list(field(body, "tools")).map((tool): OfferedTool => ({ name: text(field(tool, "name")) })),
      turns: messages.filter((one) => !within.includes(one)).map(turn),
      ...(schema === undefined ? {} : { schema }),
    };
  },

  whole(reply) {
    return { ...message(reply), content: blocks(reply).map(({ whole }) => whole) };
  },

  frames(reply) {
    const { usage, stop } = reply;
    const begun = { ...message(reply), stop_reason: null, usage: used({ ...usage, output: 1 }) };
    const events: { readonly type: string; readonly [key: string]: Json }[] = [
      { type: "message_start", message: { ...begun, content: [] } },
      ...blocks(reply).flatMap(({ start, deltas }, index) => [
        { type: "content_block_start", index, content_block: start },
        ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ]),
      {
        type: "message_delta",
        delta: { stop_reason: stopReasons[stop], stop_sequence: null },
        usage: { output_tokens: usage.output },
      },
      { type: "message_stop" },
    ];
    return events.map((event) => frame(event, event.type));
  },

  failure({ status, message, type = errorTypes[status] ?? "api_error", reset }) {
    return {
      body: { type: "error", error: { type, message }, request_id: null },
      headers: reset
        ? {
            "retry-after": String(reset.seconds),
            "anthropic-ratelimit-requests-remaining": "0",
            "anthropic-ratelimit-requests-reset": new Date(reset.at).toISOString(),
            "anthropic-ratelimit-unified-status": "rejected",
            "anthropic-ratelimit-unified-reset": String(Math.ceil(reset.at / 1000)),
          }
        : {},
    };
  },

  tokens: (count) => ({ input_tokens: count }),
};

const stopReasons: Readonly<Record<Stop, string>> = {
  end: "end_turn",
  tools: "tool_use",
  length: "max_tokens",
  refusal: "refusal",
};

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function turn(message: Json): ModelMessage {
  const content = field(message, "content");
  const parts = list(content);
  const ofType = (type: string) => parts.filter((part) => field(part, "type") === type);
  if (field(message, "role") === "assistant") {
    const calls = ofType("tool_use").map((part) => ({
      id: text(field(part, "id")),
      name: text(field(part, "name")),
      input: field(part, "input") ?? {},
    }));
    return { role: "assistant", text: textOf(content), calls };
  }
  const results = ofType("tool_result").map((part) => ({
    id: text(field(part, "tool_use_id")),
    text: textOf(field(part, "content")),
    ...(field(part, "is_error") === true ? { isError: true as const } : {}),
  }));
  return { role: "user", text: textOf(content), results };
}

function message({ id, model, stop, usage }: ModelReply) {
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model,
    stop_reason: stopReasons[stop],
    stop_sequence: null,
    usage: used(usage),
  };
}

function used({ input, output, cacheRead }: ReplyUsage) {
  return {
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
  };
}

interface Block {
  readonly whole: Json;
  readonly start: Json;
  readonly deltas: readonly Json[];
}

function blocks({ thinking, text, calls }: ModelReply): Block[] {
  const found: Block[] = [];
  if (thinking !== "") {
    const signature = "c2NyaXB0ZWQ=";
    found.push({
      whole: { type: "thinking", thinking, signature },
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...pieces(thinking).map((piece) => ({ type: "thinking_delta", thinking: piece })),
        { type: "signature_delta", signature },
      ],
    });
  }
  if (text !== "") {
    found.push({
      whole: { type: "text", text },
      start: { type: "text", text: "" },
      deltas: pieces(text).map((piece) => ({ type: "text_delta", text: piece })),
    });
  }
  for (const { id, name, input } of calls) {
    const head = { type: "tool_use", id: `toolu_${id}`, name };
    found.push({
      whole: { ...head, input },
      start: { ...head, input: {} },
      deltas: pieces(JSON.stringify(input)).map((partial_json) => ({
        type: "input_json_delta",
        partial_json,
      })),
    });
  }
  return found;
}
