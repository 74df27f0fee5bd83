/** How both of OpenAI's formats report errors. */
import type { ModelFailure } from "./model-reply.ts";
import type { FailureOnWire } from "./wire-format.ts";

export function openaiFailure({ status, message, type, reset }: ModelFailure): FailureOnWire {
  const [usual, code] = errorTypes[status] ?? ["server_error", null];
  return {
    body: { error: { message, type: type ?? usual, param: null, code: type ?? code } },
    headers: reset
      ? {
          "retry-after": String(reset.seconds),
          "x-ratelimit-remaining-requests": "0",
          "x-ratelimit-reset-requests": `${reset.seconds}s`,
        }
      : {},
  };
}

/** The type, and the code that programs check. */
const errorTypes: Readonly<Record<number, readonly [string, string | null]>> = {
  400: ["invalid_request_error", null],
  401: ["invalid_request_error", "invalid_api_key"],
  403: ["invalid_request_error", null],
  404: ["invalid_request_error", "model_not_found"],
  429: ["requests", "rate_limit_exceeded"],
};
