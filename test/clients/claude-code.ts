/** Claude Code. Only the native program is needed, so the Node that its package asks for does not matter. */
import { join } from "node:path";
import type { Client, Place, Start } from "./client.ts";

export const claudeCode: Client = {
  title: "Claude Code",
  name: "@anthropic-ai/claude-code",
  version: "2.1.325",
  program: "claude",
  start: (place) => claudeCodeStart(place, ["--tools", "", ...withServer(place)]),
};

/** The same with other options at the end. */
export function claudeCodeStart({ model, server }: Place, args: readonly string[]): Start {
  return {
    args: ["-p", "--output-format", "stream-json", "--verbose", "--setting-sources", "", ...args],
    env: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: "sk-dummy",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // It tries again ten times, for minutes, even where a key is refused.
      CLAUDE_CODE_MAX_RETRIES: "1",
      DISABLE_AUTOUPDATER: "1",
      // It waits five seconds for MCP servers and then begins without their tools: too few on a busy machine.
      CLAUDE_CODE_MCP_STARTUP_WAIT_MS: "60000",
      MCP_TIMEOUT: "60000",
    },
    files: { [serverFile]: JSON.stringify({ mcpServers: { coxswain: server } }) },
  };
}

/** A tool that changes something needs a yes, and nobody can be asked: so it is given in advance. */
export function withServer({ home }: Place): string[] {
  return ["--mcp-config", join(home, serverFile), "--strict-mcp-config", "--allowedTools", "mcp__coxswain"];
}

const serverFile = "mcp.json";
