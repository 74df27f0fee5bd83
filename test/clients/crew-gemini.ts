/** The Gemini CLI as a crew. */
import type { CrewClient } from "./crew.ts";
import { gemini } from "./gemini.ts";

const { title, name, version, program } = gemini;

export const geminiSettings = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
};

export const geminiCrew: CrewClient = {
  ...{ title, name, version, program, driver: "gemini" },
  tellsCost: false,
  tellsReset: true,
  silenceSeconds: 20,
  tooLong: {
    message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    type: {},
    says: "1200000",
  },
  agentModel: "gemini-2.5-flash",
  home: () => ({ ".gemini/settings.json": JSON.stringify(geminiSettings) }),
  env: (model) => ({ GEMINI_API_KEY: "sk-dummy", GOOGLE_GEMINI_BASE_URL: model }),
  write: (path, content) => ({ tool: "write_file", input: { file_path: path, content } }),
  shell: (command) => ({ tool: "run_shell_command", input: { command } }),
};
