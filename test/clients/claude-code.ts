import { join } from "node:path";
import type { Client } from "./client.ts";

/** Only the native program is needed, so the Node that its package asks for does not matter. */
export const claudeCode: Client = {
  title: "Claude Code",
  name: "@anthropic-ai/claude-code",
  version: "2.1.325",
  program: "claude",
  start({ home, model, server }) {
    return {
      args: [
        ...["-p", "--output-format", "stream-json", "--verbose"],
        ...["--setting-sources", "", "--tools", "", "--allowedTools", "mcp__coxswain"],
        ...["--mcp-config", join(home, "mcp.json"), "--strict-mcp-config"],
      ],
      env: {
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: "sk-dummy",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        // It tries again ten times, for minutes, even where a key is refused.
        CLAUDE_CODE_MAX_RETRIES: "1",
        DISABLE_AUTOUPDATER: "1",
      },
      files: { "mcp.json": JSON.stringify({ mcpServers: { coxswain: server } }) },
    };
  },
};
