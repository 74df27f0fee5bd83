import { expect, test } from "vitest";
import { agentAccount } from "./agent-account.ts";

const command = (...argv: readonly string[]) => ({ name: "x", driver: "command", command: argv });

test.each([
  [
    "two agents of one program, whatever their models are",
    { name: "a", driver: "claude-code", model: "opus" },
    { name: "b", driver: "claude-code", model: "haiku" },
  ],
  [
    "a server and its key",
    { name: "a", driver: "model", url: "https://x/v1", key: "K" },
    { name: "b", driver: "model", url: "https://x/v1", key: "K" },
  ],
  ["one command", command("node", "a.mjs"), { ...command("node", "a.mjs"), name: "b" }],
  ["what account: says", { ...command("a"), account: "work" }, { ...command("b"), account: "work" }],
  [
    "variables that are no credentials",
    { name: "a", driver: "codex", passEnvironment: ["LANG", "EDITOR"] },
    { name: "b", driver: "codex" },
  ],
])("two agents share one account: %s", (_, one, other) => {
  expect(agentAccount(one)).toBe(agentAccount(other));
});

test.each([
  ["two programs", { name: "a", driver: "claude-code" }, { name: "a", driver: "codex" }],
  [
    "another key",
    { name: "a", driver: "model", url: "https://x/v1", key: "K" },
    { name: "a", driver: "model", url: "https://x/v1", key: "L" },
  ],
  [
    "another server",
    { name: "a", driver: "model", url: "https://x/v1", key: "K" },
    { name: "a", driver: "model", url: "https://y/v1", key: "K" },
  ],
  [
    "a key of its own",
    { name: "a", driver: "codex", passEnvironment: ["OUR_API_KEY"] },
    { name: "a", driver: "codex" },
  ],
  ["another command", command("node", "a.mjs"), command("node", "b.mjs")],
  ["two who play scripts", { name: "a", driver: "scripted" }, { name: "b", driver: "scripted" }],
  [
    "two over ACP",
    { name: "a", driver: "acp", command: ["npx", "codex-acp"] },
    { name: "a", driver: "acp", command: ["npx", "pi-acp"] },
  ],
  ["what account: says", { ...command("a"), account: "mine" }, { ...command("a"), account: "yours" }],
])("two agents have different accounts: %s", (_, one, other) => {
  expect(agentAccount(one)).not.toBe(agentAccount(other));
});
