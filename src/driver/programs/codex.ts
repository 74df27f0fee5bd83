/**
 * Codex. It reports usage for the whole thread, so what a thread had used before a turn is stored in its session name.
 * It sends `error` events while it is still retrying: only `turn.failed` ends a turn badly.
 */
import { present } from "../../std/present.ts";
import type { TurnServer } from "../driver.ts";
import { sessionParts } from "../session.ts";
import { actionWords } from "./action-words.ts";
import type { AgentClient, ClientEvent, ClientSignal, Trouble } from "./agent-client.ts";
import { networkVariables } from "./client-variables.ts";
import { countField, listField, recordField, textField, wordField } from "./event-fields.ts";
import { folderOf, homeIn } from "./program-home.ts";

export const codex: AgentClient = {
  name: "codex",
  title: "Codex",
  program: "codex",
  install: "npm install -g @openai/codex",
  signIn: "Type codex login, or set OPENAI_API_KEY",
  variables: [
    ...["OPENAI_*", "CODEX_*", ...networkVariables],
    // These belong to a Codex that we ourselves may run in.
    ...["!CODEX_SANDBOX", "!CODEX_SANDBOX_NETWORK_DISABLED", "!CODEX_THREAD_ID"],
  ],
  home: (environment) =>
    homeIn(folderOf(environment, "CODEX_HOME", ".codex"), {
      folders: ["sessions", "archived_sessions"],
      files: ["auth.json"],
      obeyed: [
        ...["config.toml", "AGENTS.md", "AGENTS.override.md", "hooks.json"],
        ...["hooks", "prompts", "skills", "rules", "plugins"],
      ],
    }),
  sessionLost: /no rollout found/i,
  start({ model, isReadOnly, resume, server }) {
    return {
      args: [
        // A desk is not one of the user's repositories, and nobody is there to trust it.
        ...["exec", "--json", "--skip-git-repo-check"],
        ...(model === undefined ? [] : ["--model", model]),
        ...["-c", 'approval_policy="never"'],
        // A setting rather than an option, because the option can be given only once.
        ...(isReadOnly ? [] : ["-c", 'sandbox_mode="workspace-write"']),
        ...(server === undefined ? [] : serverSettings(server)),
      ],
      lastArgs: [
        ...(isReadOnly ? ["--sandbox", "read-only"] : []),
        ...(resume === undefined ? [] : ["resume", sessionParts(resume).id, "-"]),
      ],
    };
  },
  signalsOf(event, { desk, resume }) {
    const { counters } = sessionParts(resume ?? "");
    switch (event.type) {
      case "thread.started":
        return [
          { kind: "session", id: wordField(event.thread_id) },
          { kind: "counters", counters },
        ];
      case "item.started":
        return actionSignals(recordField(event.item), desk);
      case "item.completed":
        return hearItem(recordField(event.item), desk);
      case "turn.completed":
        return [...usageSignals(event, counters), { kind: "complete" }];
      case "turn.failed":
        return [{ kind: "trouble", trouble: troubleOf(event) }];
      default:
        return [];
    }
  },
};

/** As TOML text, where a string may be written as in JSON. */
export function serverSettings({ name, command: [program, ...args], environment }: TurnServer): string[] {
  const pairs = Object.entries(environment).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const settings = {
    command: JSON.stringify(program),
    args: JSON.stringify(args),
    env: `{ ${pairs.join(", ")} }`,
    startup_timeout_sec: "60",
    // Nobody is there to approve tools.
    default_tools_approval_mode: '"approve"',
  };
  return Object.entries(settings).flatMap(([key, value]) => ["-c", `mcp_servers.${name}.${key}=${value}`]);
}

function hearItem(item: ClientEvent, desk: string): readonly ClientSignal[] {
  if (item.type !== "agent_message") return item.type === "file_change" ? actionSignals(item, desk) : [];
  return [{ kind: "message", text: textField(item.text) ?? "" }];
}

/** Describes one of its items in words. */
export function actionSignals(
  { id, type, command, changes, tool, query }: ClientEvent,
  desk: string,
): readonly ClientSignal[] {
  const words = (name: string, input: unknown): ClientSignal => ({
    kind: "action",
    toolUse: wordField(id),
    words: actionWords({ tool: name, input, desk }),
  });
  switch (type) {
    case "command_execution":
      return [words("shell", { command: innerCommand(textField(command) ?? "") })];
    case "file_change":
      return listField(changes)
        .slice(0, 1)
        .map((change) => words("edit", { file_path: recordField(change).path }));
    case "mcp_tool_call":
      return [words(textField(tool) ?? "a tool", {})];
    case "web_search":
      return [words("web_search", { query })];
    default:
      return [];
  }
}

/** Strips the shell that it starts for the command. */
function innerCommand(command: string): string {
  return /^\S*sh -l?c (["']?)(.*)\1$/s.exec(command)?.[2] ?? command;
}

export function usageSignals({ usage }: ClientEvent, before: readonly number[]): ClientSignal[] {
  const { input_tokens, output_tokens, cached_input_tokens } = recordField(usage);
  const counters = [input_tokens, output_tokens, cached_input_tokens].map(countField);
  const [inputTokens, outputTokens, cachedInputTokens] = counters.map((count, at) =>
    Math.max(0, count - (before[at] ?? 0)),
  );
  return [
    { kind: "usage", of: "turn", usage: present({ inputTokens, outputTokens, cachedInputTokens }) },
    { kind: "counters", counters },
  ];
}

function troubleOf({ error }: ClientEvent): Trouble {
  const message = textField(recordField(error).message) ?? "it gave no reason";
  return { message, ...present({ status: statusIn(message) }) };
}

/** The HTTP status in its message. */
export function statusIn(message: string): number | undefined {
  const [, status] = /\bstatus:? (\d{3})\b/.exec(message) ?? [];
  return status === undefined ? undefined : Number(status);
}
