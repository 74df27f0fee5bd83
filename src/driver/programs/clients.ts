/** The agent programs that we know how to drive. */
import type { AgentClient } from "./agent-client.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

export const clients: readonly AgentClient[] = [claudeCode, codex, gemini, opencode];

/** The names of all drivers, as used in the configuration. */
export const driverNames: readonly string[] = [
  ...["command", "scripted", "acp", "model"],
  ...clients.map(({ name }) => name),
];
