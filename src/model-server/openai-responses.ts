/**
 * OpenAI's Responses API, `POST /v1/responses`.
 *
 * One reply consists of several items here, and comes back as several in the next request. Consecutive items of the
 * model, with nothing from the user in between, count as one turn.
 */
import type { Json } from "../std/canonical-json.ts";
import { field, list, parsedOr, text, textOf, textOfAll } from "./any-json.ts";
import type { ModelReply, ReplyUsage } from "./model-reply.ts";
import type { CallSeen, ModelMessage, OfferedTool } from "./model-request.ts";
import { openaiFailure } from "./openai-failure.ts";
import { outputItems } from "./openai-output-items.ts";
import { frame, type WireFormat } from "./wire-format.ts";

export const openaiResponses: WireFormat = {
  name: "openai-responses",

  route: (path) => (path.endsWith("/responses") ? { operation: "generate" } : undefined),

  read(body) {
    const given = field(body, "input");
    const items = typeof given === "string" ? [{ role: "user", content: given }] : list(given);
    const isInstruction = (one: Json) => ["system", "developer"].includes(text(field(one, "role")));
    const instructions = items.filter(isInstruction).map((one) => field(one, "content"));
    const schema = field(field(field(body, "text"), "format"), "schema");
    return {
      format: "openai-responses",
      model: text(field(body, "model")),
      stream: field(body, "stream") === true,
      system: textOfAll([field(body, "instructions"), ...instructions]),
      tools: list(field(body, "tools")).flatMap((tool) => offered(tool)),
      turns: turns(items.filter((one) => !isInstruction(one))),
      ...(schema === undefined ? {} : { schema }),
    };
  },

  whole: (reply) => response(reply),

  frames(reply) {
    const begun = { ...response(reply), status: "in_progress", output: [], usage: null };
    const ended = reply.stop === "length" ? "response.incomplete" : "response.completed";
    const events: readonly (readonly [string, { readonly [key: string]: Json }])[] = [
      ["response.created", { response: begun }],
      ["response.in_progress", { response: begun }],
      ...outputItems(reply).flatMap(({ events }) => events),
      [ended, { response: response(reply) }],
    ];
    return events.map(([type, data], sequence_number) => frame({ type, sequence_number, ...data }, type));
  },

  failure: openaiFailure,
  tokens: (count) => ({ object: "response.input_tokens", input_tokens: count }),
};

function offered(tool: Json, namespace?: string): OfferedTool[] {
  const name = text(field(tool, "name")) || text(field(tool, "type"));
  if (field(tool, "type") === "namespace") {
    return list(field(tool, "tools")).flatMap((one) => offered(one, name));
  }
  return [
    {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(field(tool, "type") === "custom" ? { isCustom: true as const } : {}),
    },
  ];
}

function turns(items: readonly Json[]): ModelMessage[] {
  const found: ModelMessage[] = [];
  for (const item of items) {
    const one = turn(item);
    const last = found.at(-1);
    if (one.role === "assistant" && last?.role === "assistant") {
      const said = [last.text, one.text].filter((part) => part !== "").join("\n");
      found[found.length - 1] = { ...last, text: said, calls: [...last.calls, ...one.calls] };
    } else found.push(one);
  }
  return found;
}

function turn(item: Json): ModelMessage {
  const type = text(field(item, "type"));
  if (type.endsWith("_call_output") || type === "tool_search_output") {
    const result = { id: text(field(item, "call_id")), text: output(field(item, "output")) };
    return { role: "user", text: "", results: [result] };
  }
  if (type.endsWith("_call")) return { role: "assistant", text: "", calls: [callSeen(item)] };
  const isOurs = type === "reasoning" || field(item, "role") === "assistant";
  const said = textOf(field(item, "content"));
  return isOurs ? { role: "assistant", text: said, calls: [] } : { role: "user", text: said, results: [] };
}

/** Text, or parts that contain text; anything else is shown as it came. */
function output(value: Json | undefined): string {
  return textOf(value) || (value === undefined || value === "" ? "" : JSON.stringify(value));
}

function callSeen(item: Json): CallSeen {
  const given = field(item, "input") ?? field(item, "arguments");
  const isCustom = field(item, "type") === "custom_tool_call";
  return {
    id: text(field(item, "call_id")),
    name: text(field(item, "name")) || text(field(item, "type")),
    input: typeof given === "string" && !isCustom ? parsedOr(given) : (given ?? {}),
  };
}

function response(reply: ModelReply) {
  const { id, at, model, stop, usage } = reply;
  const isCut = stop === "length";
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: Math.floor(at / 1000),
    status: isCut ? "incomplete" : "completed",
    error: null,
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    model,
    output: outputItems(reply).map(({ item }) => item),
    parallel_tool_calls: true,
    usage: used(usage),
  };
}

function used({ input, output, cacheRead }: ReplyUsage) {
  const whole = input + cacheRead;
  return {
    input_tokens: whole,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: whole + output,
  };
}
