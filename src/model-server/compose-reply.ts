/** Turns a step into the reply to one request, with the tools under the names that the client uses. */
import type { Json } from "../std/canonical-json.ts";
import type { ModelReply, ReplyUsage, ScriptedToolCall } from "./model-reply.ts";
import type { ModelRequest } from "./model-request.ts";
import { meantTool } from "./player.ts";
import { schemaExample } from "./schema-example.ts";
import type { ModelStep } from "./script.ts";

export interface ReplyStamp {
  /** Unique for each reply. */
  readonly id: string;
  readonly at: number;
}

/** Always the same, so that sums can be checked; a step may override it. */
const usualUsage: ReplyUsage = { input: 100, output: 20, cacheRead: 0 };

export function composeReply(step: ModelStep, request: ModelRequest, { id, at }: ReplyStamp): ModelReply {
  const calls = called(step).map(({ tool, input = {} }, index) =>
    call(`${id}_${index}`, { tool, input }, request),
  );
  return {
    id,
    at,
    model: request.model,
    thinking: step.thinking ?? "",
    text: step.text ?? "",
    calls,
    usage: {
      input: step.usage?.input ?? usualUsage.input,
      output: step.usage?.output ?? usualUsage.output,
      cacheRead: step.usage?.cacheRead ?? usualUsage.cacheRead,
    },
    stop: step.stop ?? (calls.length > 0 ? "tools" : "end"),
  };
}

/** The reply to a request that the client makes for itself: a value that fits the wanted schema, or a word. */
export function composeAside({ model, schema }: ModelRequest, { id, at }: ReplyStamp): ModelReply {
  const text = schema === undefined ? "Scripted" : JSON.stringify(schemaExample(schema));
  return { id, at, model, thinking: "", text, calls: [], usage: usualUsage, stop: "end" };
}

interface Wanted {
  readonly tool: string;
  readonly input?: Json | undefined;
}

function called({ tool, input, tools = [] }: ModelStep): Wanted[] {
  return tool === undefined ? tools : [{ tool, input }];
}

/** A tool that was not offered is called anyway: models make that mistake. */
function call(id: string, { tool, input = {} }: Wanted, { tools }: ModelRequest): ScriptedToolCall {
  const meant = meantTool(tools, tool);
  return {
    id,
    name: meant?.name ?? tool,
    input,
    isCustom: meant?.isCustom ?? false,
    ...(meant?.namespace === undefined ? {} : { namespace: meant.namespace }),
  };
}
