import { expect, test } from "vitest";
import { acpReply, acpTrouble, acpUsage } from "./acp-answer.ts";
import { quirksOf } from "./acp-quirks.ts";

const usage = { inputTokens: 200, outputTokens: 40, totalTokens: 240 };
const models = (...counts: object[]) => ({
  _meta: { quota: { model_usage: counts.map((token_count) => ({ model: "m", token_count })) } },
});

test.each([
  ["in the answer", { usage }, { inputTokens: 200, outputTokens: 40 }],
  [
    "by model, what it asked on its own account too",
    { usage, ...models(usage, { inputTokens: 10, outputTokens: 1 }) },
    { inputTokens: 210, outputTokens: 41 },
  ],
  [
    "in the words of gemini",
    { _meta: { quota: { token_count: { input_tokens: 3, output_tokens: 4 } } } },
    { inputTokens: 3, outputTokens: 4 },
  ],
  [
    "with a cache beside it",
    { usage: { inputTokens: 1, cachedReadTokens: 50, outputTokens: 5, totalTokens: 56 } },
    { inputTokens: 51, outputTokens: 5 },
  ],
  ["nowhere", { usage: null, _meta: null }, undefined],
])("the usage of an ACP turn is read %s", (_, answer, wanted) => {
  expect(acpUsage(answer)).toEqual(wanted);
});

test.each([
  ["max_tokens", "AGENT_LIMIT"],
  ["max_turn_requests", "AGENT_LIMIT"],
  ["refusal", "AGENT_REFUSED"],
  ["cancelled", "AGENT_NO_RESULT"],
  ["tired", "AGENT_PROTOCOL"],
  [undefined, "AGENT_PROTOCOL"],
])("an ACP turn that stops by %s has failed", (stopReason, code) => {
  const parts = { quirks: quirksOf({}), said: ["half"], isAnswered: true, aside: "" };
  expect(acpTrouble({ answer: { stopReason }, ...parts })).toMatchObject({ code });
  expect(acpTrouble({ answer: { stopReason: "end_turn" }, ...parts })).toBeUndefined();
});

test("an ACP agent's reply begins at the last message with the fence, or is the last message", () => {
  expect(acpReply([], "tag")).toBe("");
  expect(acpReply(["a", "b"], "tag")).toBe("b");
  expect(acpReply(["old tag", "a", "new tag", "b"], "tag")).toBe("new tag\nb");
});
