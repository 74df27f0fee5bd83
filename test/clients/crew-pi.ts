/**
 * pi over ACP as a crew: an adapter that starts pi itself, found in PATH; both need a newer Node than ours. The provider is
 * one that it speaks to by itself, so nothing is downloaded.
 */
import type { AcpCrew } from "./crew-acp.ts";
import { node22 } from "./node-22.ts";

export const piCrew: AcpCrew = {
  ...{ title: "pi over ACP", name: "pi-acp", version: "0.0.34", program: "pi-acp", driver: "acp" },
  acp: {
    args: [],
    needsNode22: true,
    beside: [node22, { name: "@earendil-works/pi-coding-agent", version: "0.87.1", program: "pi" }],
  },
  tellsCost: true,
  tellsCostGoneOn: true,
  tellsReset: true,
  silenceSeconds: 20,
  tooLong: {
    message: "This model maximum context length is 8192 tokens",
    type: { errorType: "context_length_exceeded" },
    says: "8192 tokens",
  },
  home: (model) => ({
    ".pi/agent/models.json": JSON.stringify({
      providers: {
        scripted: {
          baseUrl: `${model}/v1`,
          api: "openai-completions",
          apiKey: "sk-dummy",
          models: [{ id: "scripted", cost: { input: 1, output: 5, cacheRead: 0, cacheWrite: 0 } }],
        },
      },
    }),
    ".pi/agent/settings.json": JSON.stringify({
      defaultProvider: "scripted",
      defaultModel: "scripted",
      retry: { maxRetries: 1 },
    }),
  }),
  env: () => ({ PI_OFFLINE: "1" }),
  write: (path, content) => ({ tool: "write", input: { path, content } }),
  shell: (command) => ({ tool: "bash", input: { command } }),
  tokens: (requests) => 120 * requests,
};
