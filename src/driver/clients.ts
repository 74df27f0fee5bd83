/** The agent programs that we know how to drive. */
import type { AgentClient } from "./agent-client.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

export const clients: readonly AgentClient[] = [claudeCode, codex, gemini, opencode];

/** What an agent can be driven by; a configuration names them. */
export const driverNames: readonly string[] = [
  ...["command", "scripted", "acp", "model"],
  ...clients.map(({ name }) => name),
];
