/**
 * What is peculiar to each agent that speaks the Agent Client Protocol, as data: how it is kept from writing, what it says
 * that is no message of its model, how it tells that its model failed. They change weekly: nothing of it stands elsewhere.
 *
 * Seen with claude-agent-acp 0.99.1, codex-acp 2.6.0, Gemini CLI 0.61.0, opencode 1.18.33 and pi-acp 0.0.34 with pi
 * 0.87.1.
 */
import type { AgentClient } from "./agent-client.ts";
import { claudeCode } from "./claude-code.ts";
import { networkVariables } from "./client-variables.ts";
import { codex } from "./codex.ts";
import type { AgentSettings } from "./driver.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { type KeptTurn, type KeptWhere, piSession } from "./pi-session.ts";

export interface AcpQuirks {
  /** As a configuration names it: `acp: codex`. */
  readonly name: string;
  readonly title: string;
  readonly install: string;
  readonly signIn: string;
  /** Of the user's, as `AgentClient` writes them. */
  readonly variables: readonly string[];
  /** By a word of its command, without folders and version. */
  readonly isKnownBy: RegExp;
  readonly developer: AcpManner;
  /** Who judges or proposes. Whoever refuses it, its desk is read-only besides, where the system can do that. */
  readonly readOnly: AcpManner;
  readonly canResume: boolean;
  /** Whether it starts the MCP server of a turn, as the protocol asks of all. */
  readonly takesServer: boolean;
  /** Beginnings of pieces that it says itself, among those of its model. */
  readonly asides: readonly RegExp[];
  /** A piece without the id of its message is no word of its model. */
  readonly isAsideWithoutId?: true;
  /** Of pieces of its own those that tell of a failed request: what its model said before is no answer. */
  readonly retries?: RegExp;
  /** How a failed request to its model looks, where it calls that a turn that ended well: `no-word` came after the last tool. */
  readonly failsBy?: "no-usage" | "no-word";
  /** How its newest turn went by what it keeps of it, where it answers without a word on that. */
  readonly kept?: (where: KeptWhere) => KeptTurn | undefined;
  /** How long it may take to end by itself once nobody talks to it any more; then it is asked by a signal. */
  readonly lingersMs: number;
}

export interface AcpManner {
  /** Of the environment: where the user says nothing, and in any case. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Of the session, set once it is open. */
  readonly mode?: string;
  /** `_meta` of the request that opens it. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** What the configuration says it is, else what its command looks like, else an agent that we know nothing of. */
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

/** What the driver for the program itself sets, too. */
function environmentOf(client: AgentClient, isReadOnly: boolean): AcpManner {
  // Where its files would be, and whose environment, matters only with a server of the turn, which comes by the protocol.
  const nowhere = { scratch: "", environment: {} };
  const { defaults, environment } = client.start({ model: undefined, isReadOnly, ...nowhere });
  return { ...(defaults && { defaults }), ...(environment && { environment }) };
}

const claude: AcpQuirks = {
  name: "claude",
  title: "Claude over ACP",
  install: "npm install -g @agentclientprotocol/claude-agent-acp",
  signIn: claudeCode.signIn,
  variables: claudeCode.variables,
  isKnownBy: /^claude(-agent|-code)?-acp$/,
  developer: {
    ...environmentOf(claudeCode, false),
    meta: { claudeCode: { options: { settingSources: ["user", "project"], promptSuggestions: false } } },
  },
  readOnly: {
    ...environmentOf(claudeCode, true),
    // Its mode `plan` only asks. Hooks that stand at a desk were perhaps written by the one who is to be judged.
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
  variables: [...codex.variables, "DEFAULT_AUTH_REQUEST", "MODEL_PROVIDER", "!INITIAL_AGENT_MODE"],
  isKnownBy: /^codex-acp$/,
  // Its own first mode has a model judge each command.
  developer: { environment: { INITIAL_AGENT_MODE: "workspace-write" } },
  // A patch that is refused ends its turn; a command that is refused does not.
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
  variables: gemini.variables,
  isKnownBy: /^gemini$/,
  developer: environmentOf(gemini, false),
  readOnly: { ...environmentOf(gemini, true), mode: "plan" },
  // It answers with an error, and the conversation cannot be gone on with by anybody afterwards.
  canResume: false,
  takesServer: true,
  asides: [/^\[MODE_UPDATE\] /],
  // After a command or an MCP server it stays until it is told otherwise.
  lingersMs: 0,
};

const opencodeAcp: AcpQuirks = {
  name: "opencode",
  title: "opencode over ACP",
  install: opencode.install,
  signIn: opencode.signIn,
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
  isKnownBy: /^pi-acp$/,
  developer: {},
  // It asks nobody and has no mode for it: only the system holds it.
  readOnly: {},
  canResume: true,
  takesServer: false,
  asides: [/^(pi v|New version available: v)\d/, /^(Context nearing limit|Automatic compaction finished)/],
  // It says that it is done with it whether its model answered at last or not: so that is no answer either.
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
