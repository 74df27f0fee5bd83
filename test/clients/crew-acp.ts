/** Agents over ACP as crews: the same homes and tools as with the drivers of their own, started otherwise. */
import type { CrewClient } from "./crew.ts";
import { claudeCodeCrew } from "./crew-claude-code.ts";
import { codexCrew } from "./crew-codex.ts";
import { geminiCrew, geminiSettings } from "./crew-gemini.ts";
import { opencodeCrew } from "./crew-opencode.ts";
import { piCrew } from "./crew-pi.ts";

export interface AcpCrew extends CrewClient {
  /** Of a turn with so many requests of 100 tokens in and 20 out, in a conversation that it begins or goes on with. */
  tokens(requests: number, how?: { readonly isGoneOn: boolean }): number;
  /** Of one in a conversation that it goes on with, and not only of all turns together. */
  readonly tellsCostGoneOn?: true;
}

const all = (requests: number) => 120 * requests;
const { agentModel = "", ...gemini } = geminiCrew;

export const acpCrews: readonly AcpCrew[] = [
  {
    ...claudeCodeCrew,
    ...{ title: "Claude over ACP", name: "@agentclientprotocol/claude-agent-acp", version: "0.99.1" },
    ...{
      program: "claude-agent-acp",
      driver: "acp",
      acp: { args: [], needsNode22: true, servesReaders: true },
    },
    // It asks for a title besides, once.
    tokens: (requests, { isGoneOn } = { isGoneOn: false }) => all(isGoneOn ? requests : requests + 1),
  },
  {
    ...codexCrew,
    ...{ title: "Codex over ACP", name: "@agentclientprotocol/codex-acp", version: "2.6.0" },
    ...{ program: "codex-acp", driver: "acp", acp: { args: [], servesReaders: true } },
    tokens: all,
  },
  {
    ...gemini,
    ...{ title: "Gemini CLI over ACP", driver: "acp", acp: { args: ["--acp", "--model", agentModel] } },
    // It says nothing of what it tries again, and that would be for four minutes.
    home: () => ({
      ".gemini/settings.json": JSON.stringify({ ...geminiSettings, general: { maxAttempts: 2 } }),
    }),
    tokens: all,
  },
  {
    ...opencodeCrew,
    ...{
      title: "opencode over ACP",
      driver: "acp",
      acp: { args: ["acp"], servesReaders: true },
      tellsCost: false,
    },
    // Too long, it tries to shorten it, and tells of that.
    tooLong: { ...opencodeCrew.tooLong, says: "too large to compact" },
    // It tells the last request only.
    tokens: () => all(1),
  },
  piCrew,
];
