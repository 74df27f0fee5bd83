/** A step → the reply it stands for, to one request: the tools by the names the client has for them. */
import type { Json } from "../std/canonical-json.ts";
import type { Call, ModelReply, Usage } from "./model-reply.ts";
import type { ModelRequest } from "./model-request.ts";
import { meantTool } from "./player.ts";
import { schemaExample } from "./schema-example.ts";
import type { Step } from "./script.ts";

export interface Stamp {
  /** Fresh. */
  readonly id: string;
  readonly at: number;
}

/** Always the same, so that sums can be checked; a step may say otherwise. */
const usualUsage: Usage = { input: 100, output: 20, cacheRead: 0 };

export function composeReply(step: Step, request: ModelRequest, { id, at }: Stamp): ModelReply {
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

/** The reply to what a client asks on its own account: a value of the wanted schema, or a word. */
export function composeAside({ model, schema }: ModelRequest, { id, at }: Stamp): ModelReply {
  const text = schema === undefined ? "Scripted" : JSON.stringify(schemaExample(schema));
  return { id, at, model, thinking: "", text, calls: [], usage: usualUsage, stop: "end" };
}

interface Wanted {
  readonly tool: string;
  readonly input?: Json | undefined;
}

function called({ tool, input, tools = [] }: Step): Wanted[] {
  return tool === undefined ? tools : [{ tool, input }];
}

/** A tool that is not offered is called all the same: that is a mistake a model makes. */
function call(id: string, { tool, input = {} }: Wanted, { tools }: ModelRequest): Call {
  const meant = meantTool(tools, tool);
  return {
    id,
    name: meant?.name ?? tool,
    input,
    isCustom: meant?.isCustom ?? false,
    ...(meant?.namespace === undefined ? {} : { namespace: meant.namespace }),
  };
}
