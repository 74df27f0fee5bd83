/** opencode as a crew. The provider is one that comes with it, so nothing is downloaded; its price is ours. */
import type { CrewClient } from "./crew.ts";
import { opencode } from "./opencode.ts";

const { title, name, version, program } = opencode;

export const opencodeCrew: CrewClient = {
  ...{ title, name, version, program, driver: "opencode" },
  tellsCost: true,
  tellsReset: true,
  silenceSeconds: 45,
  tooLong: {
    message: "This model maximum context length is 8192 tokens",
    type: { errorType: "context_length_exceeded" },
    says: "8192 tokens",
  },
  home: (model) => ({
    ".config/opencode/opencode.json": JSON.stringify({
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          name: "scripted",
          options: { baseURL: `${model}/v1`, apiKey: "sk-dummy" },
          models: { large: { name: "large", cost: { input: 1, output: 5 } }, small: { name: "small" } },
        },
      },
      enabled_providers: ["scripted"],
      model: "scripted/large",
      small_model: "scripted/small",
    }),
  }),
  env: () => ({
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  }),
  write: (path, content) => ({ tool: "write", input: { filePath: path, content } }),
  shell: (command) => ({ tool: "bash", input: { command, description: "as told" } }),
};
