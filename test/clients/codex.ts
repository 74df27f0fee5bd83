/**
 * Codex. The model's name is one that it has no entry for: for those that it knows it hides MCP tools behind a search.
 * A tool that changes something needs a yes, and nobody can be asked: so it is given in advance.
 */
import type { Client } from "./client.ts";

export const codex: Client = {
  title: "Codex",
  name: "@openai/codex",
  version: "0.166.0",
  program: "codex",
  start({ home, model, server, folder }) {
    const config = `
model = "scripted"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
supports_websockets = false

[mcp_servers.coxswain]
command = ${JSON.stringify(server.command)}
args = ${JSON.stringify(server.args)}
cwd = ${JSON.stringify(folder)}
required = true
startup_timeout_sec = 60
default_tools_approval_mode = "approve"
`;
    return {
      args: ["exec", "--json", "--skip-git-repo-check", "-"],
      env: { CODEX_HOME: `${home}/.codex`, SCRIPTED_KEY: "sk-dummy" },
      files: { ".codex/config.toml": config },
    };
  },
};
