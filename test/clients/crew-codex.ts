/** Codex as a crew. The model's name is one that it has no entry for. */
import { codex } from "./codex.ts";
import type { CrewClient } from "./crew.ts";

const { title, name, version, program } = codex;

export const codexCrew: CrewClient = {
  ...{ title, name, version, program, driver: "codex" },
  tellsCost: false,
  tellsReset: false,
  silenceSeconds: 15,
  tooLong: {
    message: "Your input exceeds the context window of this model.",
    type: { errorType: "context_length_exceeded" },
    says: "exceeds the context window",
  },
  agentModel: "scripted",
  home: (model) => ({
    ".codex/config.toml": `
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
supports_websockets = false
`,
  }),
  env: () => ({ OPENAI_API_KEY: "sk-dummy" }),
  // Only for models that it knows it offers a tool for patches.
  write: (path, content) => ({ tool: "exec_command", input: { cmd: `printf '%s' '${content}' > ${path}` } }),
  shell: (command) => ({ tool: "exec_command", input: { cmd: command } }),
};
