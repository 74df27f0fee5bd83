/**
 * The peculiarities of each agent that speaks the Agent Client Protocol, as data: how to keep it from writing, which of
 * its output is not from its model, how it shows that its model failed. They change weekly, so they are only in this
 * file.
 *
 * Observed with claude-agent-acp 0.99.1, codex-acp 2.6.0, Gemini CLI 0.61.0, opencode 1.18.33 and pi-acp 0.0.34 with pi
 * 0.87.1.
 */

import type { AgentSettings } from "../agent-settings.ts";
import type { AgentClient } from "../programs/agent-client.ts";
import { claudeCode } from "../programs/claude-code.ts";
import { networkVariables } from "../programs/client-variables.ts";
import { codex } from "../programs/codex.ts";
import { gemini } from "../programs/gemini.ts";
import { opencode } from "../programs/opencode.ts";
import { folderOf, type GivenEnvironment, homeIn, type ProgramHome } from "../programs/program-home.ts";
import { type KeptTurn, type KeptWhere, piSession } from "./pi-session.ts";

export interface AcpQuirks {
  /** Its name in the configuration: `acp: codex`. */
  readonly name: string;
  readonly title: string;
  readonly install: string;
  readonly signIn: string;
  /** The user's variables that it gets, in the notation of `AgentClient`. */
  readonly variables: readonly string[];
  /** As in `AgentClient`; missing if it keeps nothing that we know of. */
  home?(environment: GivenEnvironment, desk: string): ProgramHome;
  /** Matches a word of its command, without folders and version. */
  readonly isKnownBy: RegExp;
  readonly developer: AcpManner;
  /** For an agent that judges or proposes. In addition its desk is read-only, where the system can enforce that. */
  readonly readOnly: AcpManner;
  readonly canResume: boolean;
  /** Whether it starts a turn's MCP server, as the protocol requires of all agents. */
  readonly takesServer: boolean;
  /** How pieces begin that come from the agent itself, among those of its model. */
  readonly asides: readonly RegExp[];
  /** A piece without a message id is not from its model. */
  readonly isAsideWithoutId?: true;
  /** Matches the agent's own pieces that report a failed request: what its model said before is not an answer. */
  readonly retries?: RegExp;
  /**
   * How to recognise a failed request to its model when it reports a turn that ended well: `no-usage` was reported, or
   * `no-word` came after the last tool.
   */
  readonly failsBy?: "no-usage" | "no-word";
  /** Reads how its newest turn went from what it stores, for agents whose answer does not say so. */
  readonly kept?: (where: KeptWhere) => KeptTurn | undefined;
  /** How long it may take to exit once we stop talking to it; after that it gets a signal. */
  readonly lingersMs: number;
}

export interface AcpManner {
  /** Variables to set: `defaults` unless the user sets them, `environment` always. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** The session's mode, set once it is open. */
  readonly mode?: string;
  /** `_meta` of the request that opens the session. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The agent that the configuration names, otherwise the one its command looks like, otherwise an unknown agent. */
export function quirksOf({ acp, command = [] }: Pick<AgentSettings, "acp" | "command">): AcpQuirks {
  const words = command.map((word) => (word.split("/").at(-1) ?? "").replace(/(?<=.)@.*$/, ""));
  return (
    acpQuirks.find(({ name }) => name === acp) ??
    acpQuirks.find(({ isKnownBy }) => words.some((word) => isKnownBy.test(word))) ?? {
      ...unknown,
      title: command[0] ?? unknown.title,
    }
  );
}

const lingersMs = 3_000;

/** What the driver for the program itself also sets. */
function environmentOf(client: AgentClient, isReadOnly: boolean): AcpManner {
  // Scratch folder and environment matter only with a turn server, which goes through the protocol here.
  const nowhere = { scratch: "", environment: {} };
  const { defaults, environment } = client.start({ model: undefined, isReadOnly, ...nowhere });
  return { ...(defaults && { defaults }), ...(environment && { environment }) };
}

const claude: AcpQuirks = {
  name: "claude",
  title: "Claude over ACP",
  install: "npm install -g @agentclientprotocol/claude-agent-acp",
  signIn: claudeCode.signIn,
  home: claudeCode.home,
  variables: claudeCode.variables,
  isKnownBy: /^claude(-agent|-code)?-acp$/,
  developer: {
    ...environmentOf(claudeCode, false),
    meta: { claudeCode: { options: { settingSources: ["user", "project"], promptSuggestions: false } } },
  },
  readOnly: {
    ...environmentOf(claudeCode, true),
    // Its mode `plan` only asks for permission. Hooks found at a desk may have been written by the agent that is to be
    // judged.
    meta: {
      claudeCode: {
        options: {
          settingSources: ["user"],
          promptSuggestions: false,
          tools: ["Read", "Grep", "Glob"],
          disallowedTools: ["Bash", "Edit", "Write", "NotebookEdit"],
        },
      },
    },
  },
  canResume: true,
  takesServer: true,
  asides: [],
  lingersMs,
};

const codexAcp: AcpQuirks = {
  name: "codex",
  title: "Codex over ACP",
  install: "npm install -g @agentclientprotocol/codex-acp",
  signIn: codex.signIn,
  home: codex.home,
  variables: [...codex.variables, "DEFAULT_AUTH_REQUEST", "MODEL_PROVIDER", "!INITIAL_AGENT_MODE"],
  isKnownBy: /^codex-acp$/,
  // In its default mode a model judges each command.
  developer: { environment: { INITIAL_AGENT_MODE: "workspace-write" } },
  // A refused patch ends its turn; a refused command does not.
  readOnly: { environment: { INITIAL_AGENT_MODE: "read-only" } },
  canResume: true,
  takesServer: true,
  asides: [],
  isAsideWithoutId: true,
  failsBy: "no-usage",
  lingersMs,
};

const geminiAcp: AcpQuirks = {
  name: "gemini",
  title: "Gemini CLI over ACP",
  install: gemini.install,
  signIn: gemini.signIn,
  home: gemini.home,
  variables: gemini.variables,
  isKnownBy: /^gemini$/,
  developer: environmentOf(gemini, false),
  readOnly: { ...environmentOf(gemini, true), mode: "plan" },
  // It answers with an error, and afterwards nobody can resume the conversation.
  canResume: false,
  takesServer: true,
  asides: [/^\[MODE_UPDATE\] /],
  // After a command or an MCP server it keeps running until it gets a signal.
  lingersMs: 0,
};

const opencodeAcp: AcpQuirks = {
  name: "opencode",
  title: "opencode over ACP",
  install: opencode.install,
  signIn: opencode.signIn,
  home: opencode.home,
  variables: opencode.variables,
  isKnownBy: /^opencode$/,
  developer: environmentOf(opencode, false),
  readOnly: { ...environmentOf(opencode, true), mode: "cox-read-only" },
  canResume: true,
  takesServer: true,
  asides: [],
  lingersMs,
};

const pi: AcpQuirks = {
  name: "pi",
  title: "pi over ACP",
  install: "npm install -g pi-acp @earendil-works/pi-coding-agent",
  signIn: "Start pi by hand and type /login",
  variables: ["PI_*", ...networkVariables],
  home: (environment) =>
    homeIn(folderOf(environment, "PI_CODING_AGENT_DIR", ".pi/agent"), {
      folders: ["sessions"],
      files: ["auth.json"],
      obeyed: [
        "settings.json",
        "models.json",
        "AGENTS.md",
        "SYSTEM.md",
        "APPEND_SYSTEM.md",
        "bin",
        "extensions",
        "skills",
        "prompts",
        "themes",
        "tools",
        "git",
        "npm",
      ],
    }),
  isKnownBy: /^pi-acp$/,
  developer: {},
  // It never asks for permission and has no read-only mode: only the sandbox confines it.
  readOnly: {},
  canResume: true,
  takesServer: false,
  asides: [/^(pi v|New version available: v)\d/, /^(Context nearing limit|Automatic compaction finished)/],
  // It says that retrying is finished whether or not its model answered in the end, so that is not an answer either.
  retries: /^(Retrying( \(attempt \d+\/|\.)|Retry finished, resuming\.$)/,
  failsBy: "no-word",
  kept: piSession,
  lingersMs,
};

const unknown: AcpQuirks = {
  name: "",
  title: "an agent over ACP",
  install: "see its own pages",
  signIn: "Start it by hand and sign in",
  variables: networkVariables,
  isKnownBy: /^(?!)/,
  developer: {},
  readOnly: {},
  canResume: false,
  takesServer: true,
  asides: [],
  lingersMs,
};

export const acpQuirks: readonly AcpQuirks[] = [claude, codexAcp, geminiAcp, opencodeAcp, pi];
