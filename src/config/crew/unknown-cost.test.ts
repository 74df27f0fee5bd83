import { expect, test } from "vitest";
import { unknownCost } from "./unknown-cost.ts";

const prices = { "our-model": { input: 1, output: 2 } };

test.each([
  ["a command agent", { driver: "command", command: ["x"] }, /reports one/],
  [
    "a command agent of a model with a price, which may report no tokens",
    { driver: "command", model: "gpt-5" },
    /reports one/,
  ],
  ["a scripted agent", { driver: "scripted" }, /script/],
  ["a bare model without a price", { driver: "model", model: "who-knows" }, /no price .*"who-knows"/],
  ["Codex with its own model", { driver: "codex" }, /names no model/],
  ["Gemini with a model without a price", { driver: "gemini", model: "who-knows" }, /no price/],
  ["an unknown agent over ACP", { driver: "acp", command: ["tools/agent"] }, /names no model/],
] as const)("an agent's cost is unknown: %s", (_, agent, why) => {
  expect(unknownCost(agent)?.why).toMatch(why);
  expect(unknownCost(agent)?.hint).not.toBe("");
});

test.each([
  ["Claude Code tells it", { driver: "claude-code" }],
  ["opencode tells it", { driver: "opencode", model: "who/knows" }],
  ["Claude over ACP tells it", { driver: "acp", command: ["npx", "@x/claude-agent-acp"] }],
  ["Gemini names the models it used", { driver: "gemini" }],
  ["a model of the table", { driver: "codex", model: "gpt-5" }],
  ["a model of prices:", { driver: "model", model: "our-model", prices }],
] as const)("an agent's cost is known: %s", (_, agent) => {
  expect(unknownCost(agent)).toBeUndefined();
});
