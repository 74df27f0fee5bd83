/** opencode. The provider is one that comes with it, so nothing is downloaded. */
import { join } from "node:path";
import type { Client } from "./client.ts";

export const opencode: Client = {
  title: "opencode",
  name: "opencode-ai",
  version: "1.18.33",
  program: "opencode",
  start({ home, model, server }) {
    const options = { baseURL: `${model}/v1`, apiKey: "sk-dummy" };
    const config = {
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          name: "scripted",
          options,
          models: { large: { name: "large" }, small: { name: "small" } },
        },
      },
      enabled_providers: ["scripted"],
      model: "scripted/large",
      small_model: "scripted/small",
      autoupdate: false,
      permission: { edit: "deny", bash: "deny", webfetch: "deny" },
      mcp: {
        coxswain: {
          type: "local",
          command: [server.command, ...server.args],
          enabled: true,
          // For its tools to be listed; five seconds otherwise.
          timeout: 60_000,
        },
      },
    };
    return {
      args: ["run", "--format", "json"],
      env: {
        XDG_CONFIG_HOME: join(home, ".config"),
        XDG_DATA_HOME: join(home, ".local/share"),
        XDG_CACHE_HOME: join(home, ".cache"),
        XDG_STATE_HOME: join(home, ".local/state"),
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      },
      files: { ".config/opencode/opencode.json": JSON.stringify(config) },
    };
  },
};
