import { expect, test } from "vitest";
import { resetTime } from "./reset-time.ts";

const now = Date.UTC(2026, 10, 16, 10, 0, 0);
const seconds = (count: number) => now + count * 1000;

test.each([
  ["Claude AI usage limit reached|1794823200", 1_794_823_200_000],
  ["rate limit reached, ask again in 2 s", seconds(2)],
  ["Please try again in 6m0s. Visit https://example.com/limits", seconds(360)],
  ["Limit 30000, Used 29000. Please try again in 1.2s.", seconds(2)],
  ["Please try again in 20ms", seconds(1)],
  [
    "You've hit your usage limit. Try again in 3 days 2 hours 5 minutes.",
    seconds(3 * 86_400 + 2 * 3600 + 300),
  ],
  ['{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"37s"}', seconds(37)],
  ["Suggested retry after 2s.. Retrying after 32198ms...", seconds(2)],
  ["429 too many requests (retry-after: 30)", seconds(30)],
  ["exceeded retry limit, last status: 429 Too Many Requests", undefined],
  ["You've hit your limit · resets 3pm (Europe/Berlin)", undefined],
  ["try again in 99999999 days", undefined],
  ["ask again later", undefined],
])("%s", (message, expected) => {
  expect(resetTime({ trouble: { message }, reportedReset: undefined, now })).toBe(expected);
});

test("the reset time of an event or a header wins over the one in the message", () => {
  const message = "ask again in 2 s";
  expect(resetTime({ trouble: { message }, reportedReset: 1_794_823_200, now })).toBe(1_794_823_200_000);
  expect(resetTime({ trouble: { message, retryAfterMs: 5000 }, reportedReset: undefined, now })).toBe(
    seconds(5),
  );
});
