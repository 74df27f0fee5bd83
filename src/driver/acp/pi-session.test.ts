import { expect, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import { piSession } from "./pi-session.ts";

const usage = { input: 60, output: 20, cacheRead: 30, cacheWrite: 10, cost: { total: 0.002 } };
const said = (more = {}) => ({ role: "assistant", model: "large", usage, stopReason: "stop", ...more });
const asked = { role: "user", content: "Please do it." };

test("the usage of a pi turn is the sum of its answers, without the turns before", () => {
  const kept = read([asked, said(), asked, said({ stopReason: "toolUse" }), { role: "toolResult" }, said()]);
  expect(kept).toMatchObject({
    usage: { inputTokens: 200, outputTokens: 40, cachedInputTokens: 60, usdMicros: 4000 },
  });
  expect(kept).not.toHaveProperty("trouble");
});

test.each([
  ["429: slow down", { status: 429, message: "429: slow down" }],
  ["OpenAI error: 401 invalid api key", { status: 401, message: "OpenAI error: 401 invalid api key" }],
  ["terminated", { message: "terminated" }],
])("a pi turn whose last request failed by %j has failed", (errorMessage, trouble) => {
  expect(read([asked, said(), said({ stopReason: "error", errorMessage })])?.trouble).toEqual(trouble);
  // The retry got an answer.
  expect(read([asked, said({ stopReason: "error", errorMessage }), said()])).not.toHaveProperty("trouble");
});

test("a pi answer that was cut off for its length does not count as an answer", () => {
  expect(read([asked, said({ stopReason: "length" })])?.trouble).toMatchObject({ code: "AGENT_LIMIT" });
});

test("a pi session that is missing, unanswered or malformed gives no usage", () => {
  expect(read([asked])).toBeUndefined();
  expect(read([])).toBeUndefined();
  expect(read([null, 1, "x", [], { role: 1 }])).toBeUndefined();
  expect(read([asked, { role: "assistant", usage: 7, stopReason: [] }])).toMatchObject({
    usage: { inputTokens: 0, outputTokens: 0 },
  });
  expect(read([asked, said()], { session: "another" })).toBeUndefined();
});

test("the folder of pi sessions is where pi's own variables say", () => {
  expect(read([asked, said()], { environment: { PI_CODING_AGENT_DIR: "/home/.pi/agent" } })).toBeDefined();
  const environment = { PI_CODING_AGENT_SESSION_DIR: "/home/.pi/agent/sessions/--desk--" };
  expect(read([asked, said()], { environment })).toBeDefined();
  expect(read([asked, said()], { environment: { HOME: "/elsewhere" } })).toBeUndefined();
});

function read(messages: readonly unknown[], change: { session?: string; environment?: object } = {}) {
  const entries = messages.map((message) => JSON.stringify({ type: "message", message }));
  const text = ['{"type":"session"}', ...entries, "{half", ""].join("\n");
  const tree: Record<string, readonly string[]> = {
    "/home/.pi/agent/sessions": ["--desk--", "--other--", "stray.txt"],
    "/home/.pi/agent/sessions/--desk--": ["2026_s0.jsonl", "2026_s1.jsonl"],
    "/home/.pi/agent/sessions/--other--": [],
  };
  const files = {
    list(path: string) {
      if (path.endsWith(".txt")) throw Object.assign(new Error("no folder"), { code: "ENOTDIR" });
      return tree[path] ?? [];
    },
    read: () => encodeUtf8(text),
  };
  const { session = "s1", environment = { HOME: "/home" } } = change;
  return piSession({ files, session, environment: environment as Record<string, string> });
}
