import { expect, test } from "vitest";
import { resetInHeaders } from "./reset-headers.ts";

const now = Date.parse("2026-11-16T10:00:00Z");
const at = (seconds: number) => now + seconds * 1000;

test.each([
  [{}, undefined],
  [{ "retry-after": "30" }, at(30)],
  [{ "Retry-After": "Mon, 16 Nov 2026 10:01:00 GMT" }, at(60)],
  [{ "retry-after-ms": "1500", "retry-after": "30" }, at(1.5)],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-5" }, undefined],
  [{ "anthropic-ratelimit-unified-reset": String(at(3600) / 1000) }, at(3600)],
  [{ "anthropic-ratelimit-requests-reset": "2026-11-16T10:02:00Z" }, at(120)],
  // Among several limits, the one that is used up counts.
  [
    {
      "anthropic-ratelimit-requests-remaining": "10",
      "anthropic-ratelimit-requests-reset": "2026-11-16T11:00:00Z",
      "anthropic-ratelimit-tokens-remaining": "0",
      "anthropic-ratelimit-tokens-reset": "2026-11-16T10:02:00Z",
    },
    at(120),
  ],
  [{ "x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6m0s" }, at(360)],
  [
    {
      "x-ratelimit-reset-requests": "1h",
      "x-ratelimit-remaining-requests": "9",
      "x-ratelimit-reset-tokens": "20ms",
      "x-ratelimit-remaining-tokens": "0",
    },
    at(0.02),
  ],
  // Times in the past, and nonsense.
  [{ "anthropic-ratelimit-requests-reset": "2020-01-01T00:00:00Z" }, undefined],
  [{ "x-ratelimit-reset-requests": "9999999999d" }, undefined],
] as const)("the headers of a rate limit give its reset time: %o", (headers, expected) => {
  expect(resetInHeaders(headers, now)).toBe(expected);
});
