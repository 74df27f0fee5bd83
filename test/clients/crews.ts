/** Every real program that can be the crew of a run. */
import type { CrewClient } from "./crew.ts";
import { claudeCodeCrew } from "./crew-claude-code.ts";
import { codexCrew } from "./crew-codex.ts";
import { geminiCrew } from "./crew-gemini.ts";
import { opencodeCrew } from "./crew-opencode.ts";

export const crews: readonly CrewClient[] = [claudeCodeCrew, codexCrew, geminiCrew, opencodeCrew];
