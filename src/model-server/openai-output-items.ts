/** The items that make up a reply in OpenAI's Responses API, each with the events that stream it. */
import type { Json } from "../std/canonical-json.ts";
import type { ModelReply, ScriptedToolCall } from "./model-reply.ts";
import { pieces } from "./wire-format.ts";

export interface OutputItem {
  readonly item: Json;
  readonly events: readonly (readonly [type: string, data: { readonly [key: string]: Json }])[];
}

export function outputItems({ id, thinking, text, calls, stop }: ModelReply): OutputItem[] {
  const items: ((output_index: number) => OutputItem)[] = [];
  if (thinking !== "") items.push((at) => reasoning(`rs_${id}`, thinking, at));
  if (text !== "") items.push((at) => message(`msg_${id}`, { text, isRefusal: stop === "refusal" }, at));
  for (const call of calls)
    items.push((at) => (call.isCustom ? customCall(call, at) : functionCall(call, at)));
  return items.map((make, at) => make(at));
}

function reasoning(item_id: string, thinking: string, output_index: number): OutputItem {
  const part = (text: string) => ({ type: "summary_text", text });
  const begun = { id: item_id, type: "reasoning", summary: [] };
  const item = { ...begun, summary: [part(thinking)] };
  const at = { item_id, output_index, summary_index: 0 };
  return {
    item,
    events: [
      ["response.output_item.added", { output_index, item: begun }],
      ["response.reasoning_summary_part.added", { ...at, part: part("") }],
      ...pieces(thinking).map(
        (delta) => ["response.reasoning_summary_text.delta", { ...at, delta }] as const,
      ),
      ["response.reasoning_summary_text.done", { ...at, text: thinking }],
      ["response.reasoning_summary_part.done", { ...at, part: part(thinking) }],
      ["response.output_item.done", { output_index, item }],
    ],
  };
}

function message(
  item_id: string,
  { text, isRefusal }: { readonly text: string; readonly isRefusal: boolean },
  output_index: number,
): OutputItem {
  const kind = isRefusal ? "refusal" : "output_text";
  const part = (said: string) =>
    isRefusal ? { type: kind, refusal: said } : { type: kind, text: said, annotations: [] };
  const begun = { id: item_id, type: "message", role: "assistant", status: "in_progress", content: [] };
  const item = { ...begun, status: "completed", content: [part(text)] };
  const at = { item_id, output_index, content_index: 0 };
  return {
    item,
    events: [
      ["response.output_item.added", { output_index, item: begun }],
      ["response.content_part.added", { ...at, part: part("") }],
      ...pieces(text).map((delta) => [`response.${kind}.delta`, { ...at, delta }] as const),
      [`response.${kind}.done`, isRefusal ? { ...at, refusal: text } : { ...at, text }],
      ["response.content_part.done", { ...at, part: part(text) }],
      ["response.output_item.done", { output_index, item }],
    ],
  };
}

function functionCall(call: ScriptedToolCall, output_index: number): OutputItem {
  const given = JSON.stringify(call.input);
  const item = {
    id: `fc_${call.id}`,
    type: "function_call",
    status: "completed",
    ...named(call),
    arguments: given,
  };
  const at = { item_id: item.id, output_index };
  return {
    item,
    events: [
      [
        "response.output_item.added",
        { output_index, item: { ...item, status: "in_progress", arguments: "" } },
      ],
      ...pieces(given).map((delta) => ["response.function_call_arguments.delta", { ...at, delta }] as const),
      ["response.function_call_arguments.done", { ...at, arguments: given }],
      ["response.output_item.done", { output_index, item }],
    ],
  };
}

/** A call to a tool that takes plain text. */
function customCall(call: ScriptedToolCall, output_index: number): OutputItem {
  const input = typeof call.input === "string" ? call.input : JSON.stringify(call.input);
  const item = { id: `ctc_${call.id}`, type: "custom_tool_call", status: "completed", ...named(call), input };
  const at = { item_id: item.id, output_index };
  return {
    item,
    events: [
      ["response.output_item.added", { output_index, item: { ...item, status: "in_progress", input: "" } }],
      ...pieces(input).map((delta) => ["response.custom_tool_call_input.delta", { ...at, delta }] as const),
      ["response.custom_tool_call_input.done", { ...at, input }],
      ["response.output_item.done", { output_index, item }],
    ],
  };
}

function named({ id, name, namespace }: ScriptedToolCall) {
  return { call_id: `call_${id}`, name, ...(namespace === undefined ? {} : { namespace }) };
}
