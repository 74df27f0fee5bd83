/** Claude Code as a crew. */
import { claudeCode } from "./claude-code.ts";
import type { CrewClient } from "./crew.ts";

const { title, name, version, program } = claudeCode;

export const claudeCodeCrew: CrewClient = {
  ...{ title, name, version, program, driver: "claude-code" },
  tellsCost: true,
  tellsReset: true,
  silenceSeconds: 15,
  tooLong: {
    message: "prompt is too long: 250000 tokens > 200000 maximum",
    type: {},
    says: "rompt is too long",
  },
  home: () => ({}),
  env: (model) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: "sk-dummy",
    CLAUDE_CODE_MAX_RETRIES: "1",
  }),
  write: (path, content) => ({ tool: "Write", input: { file_path: path, content } }),
  shell: (command) => ({ tool: "Bash", input: { command, description: "as told" } }),
};
