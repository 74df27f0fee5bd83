/** The Gemini CLI. The model is named, because it asks a router otherwise. */
import type { Client } from "./client.ts";

export const gemini: Client = {
  title: "Gemini CLI",
  name: "@google/gemini-cli",
  version: "0.61.0",
  program: "gemini",
  start({ model, server }) {
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      mcpServers: { coxswain: { ...server, trust: true } },
    };
    return {
      args: ["-m", "gemini-2.5-flash", "-o", "stream-json", "-p", " "],
      env: {
        GEMINI_API_KEY: "sk-dummy",
        GOOGLE_GEMINI_BASE_URL: model,
        GEMINI_CLI_TRUST_WORKSPACE: "true",
      },
      files: { ".gemini/settings.json": JSON.stringify(settings) },
    };
  },
};
