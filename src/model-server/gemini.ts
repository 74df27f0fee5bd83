/**
 * Google's Gemini API: `POST /v1beta/models/NAME:generateContent`, `:streamGenerateContent` and `:countTokens`.
 *
 * Without `alt=sse` a stream would be one JSON list; no client asks for that, so a stream here is always events.
 */
import type { Json } from "../std/canonical-json.ts";
import { field, list, text, textOf } from "./any-json.ts";
import type { ModelReply, ReplyUsage, Stop } from "./model-reply.ts";
import type { ModelMessage, OfferedTool } from "./model-request.ts";
import { frame, pieces, type WireFormat } from "./wire-format.ts";

export const geminiFormat: WireFormat = {
  name: "gemini",

  route(path) {
    const [, model, verb] = /\/v1(?:beta|alpha)?\/models\/([^/:]+):(\w+)$/.exec(path) ?? [];
    if (model === undefined) return undefined;
    if (verb === "generateContent") return { operation: "generate", model, stream: false };
    if (verb === "streamGenerateContent") return { operation: "generate", model, stream: true };
    return verb === "countTokens" ? { operation: "count", model } : undefined;
  },

  read(body, { model = "", stream = false }) {
    // A count request may wrap the request to be counted.
    const asked = field(body, "generateContentRequest") ?? body;
    const settings = field(asked, "generationConfig");
    const schema = field(settings, "responseJsonSchema") ?? field(settings, "responseSchema");
    const system = field(asked, "systemInstruction") ?? field(asked, "system_instruction");
    return {
      format: "gemini",
      model,
      stream,
      system: textOf(field(system, "parts") ?? system),
      tools: list(field(asked, "tools")).flatMap(offered),
      turns: list(field(asked, "contents")).map(turn),
      ...(schema === undefined ? {} : { schema }),
    };
  },

  whole: (reply) => ({
    ...piece(
      parts(reply).map(({ whole }) => whole),
      reply,
    ),
    ...tail(reply),
  }),

  frames(reply) {
    const streamed = parts(reply).flatMap(({ pieces }) => pieces);
    const last = streamed.at(-1) ?? { text: "" };
    return [
      ...streamed.slice(0, -1).map((part) => frame({ ...piece([part]), ...head(reply) })),
      frame({ ...piece([last], reply), ...tail(reply) }),
    ];
  },

  failure({ status, message, type = statusNames[status] ?? "UNKNOWN", reset }) {
    const retry = reset && {
      "@type": "type.googleapis.com/google.rpc.RetryInfo",
      retryDelay: `${reset.seconds}s`,
    };
    return {
      body: { error: { code: status, message, status: type, ...(retry ? { details: [retry] } : {}) } },
      headers: reset ? { "retry-after": String(reset.seconds) } : {},
    };
  },

  tokens: (count) => ({ totalTokens: count }),
};

const finishReasons: Readonly<Record<Stop, string>> = {
  end: "STOP",
  tools: "STOP",
  length: "MAX_TOKENS",
  refusal: "SAFETY",
};

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

function offered(tool: Json): OfferedTool[] {
  const declared = list(field(tool, "functionDeclarations") ?? field(tool, "function_declarations"));
  return declared.map((one) => ({ name: text(field(one, "name")) }));
}

function turn(content: Json): ModelMessage {
  const given = list(field(content, "parts"));
  const within = (name: string) => given.map((part) => field(part, name)).filter((one) => one !== undefined);
  if (field(content, "role") === "model") {
    const calls = within("functionCall").map((call) => ({
      id: text(field(call, "id")),
      name: text(field(call, "name")),
      input: field(call, "args") ?? {},
    }));
    return { role: "assistant", text: textOf(given), calls };
  }
  const results = within("functionResponse").map((one) => {
    const response = field(one, "response");
    const isError = field(response, "error") !== undefined;
    return {
      id: text(field(one, "id")) || text(field(one, "name")),
      text:
        text(field(response, "output")) || text(field(response, "error")) || JSON.stringify(response ?? {}),
      ...(isError ? { isError: true as const } : {}),
    };
  });
  return { role: "user", text: textOf(given), results };
}

/** Each part of a reply, whole and as streamed. A call always comes in one piece. */
function parts({ thinking, text, calls }: ModelReply): { readonly whole: Json; readonly pieces: Json[] }[] {
  const thought = (said: string) => ({ text: said, thought: true });
  const spoken = (said: string) => ({ text: said });
  return [
    ...(thinking === "" ? [] : [{ whole: thought(thinking), pieces: pieces(thinking).map(thought) }]),
    ...(text === "" ? [] : [{ whole: spoken(text), pieces: pieces(text).map(spoken) }]),
    ...calls.map(({ id, name, input }) => {
      const whole = { functionCall: { id: `call_${id}`, name, args: input } };
      return { whole, pieces: [whole] };
    }),
  ];
}

function piece(given: readonly Json[], ended?: ModelReply) {
  const content = { role: "model", parts: given };
  return {
    candidates: [{ content, ...(ended ? { finishReason: finishReasons[ended.stop] } : {}), index: 0 }],
  };
}

function head({ id, model }: ModelReply) {
  return { modelVersion: model, responseId: id };
}

function tail(reply: ModelReply) {
  return { usageMetadata: used(reply.usage), ...head(reply) };
}

function used({ input, output, cacheRead }: ReplyUsage) {
  const prompt = input + cacheRead;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: output,
    totalTokenCount: prompt + output,
    cachedContentTokenCount: cacheRead,
  };
}
