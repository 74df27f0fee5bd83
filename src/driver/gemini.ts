/**
 * The Gemini CLI. Interrupted, it ends with exit code 0 and no result; what it tries again is told on stderr alone. Its
 * messages come in pieces.
 */
import { join } from "node:path";
import { actionWords } from "./action-words.ts";
import type { AgentClient, ClientEvent, ClientWish, Heard, Trouble } from "./agent-client.ts";
import { networkVariables } from "./client-variables.ts";
import type { TurnServer } from "./driver.ts";
import { countField, recordField, textField, wordField } from "./event-fields.ts";

export const gemini: AgentClient = {
  name: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  install: "npm install -g @google/gemini-cli",
  signIn: "Start gemini by hand and sign in, or set GEMINI_API_KEY",
  variables: [
    ...["GEMINI_*", "GOOGLE_*", ...networkVariables],
    // Of the editor or session that we ourselves may run in.
    ...["!GEMINI_CLI", "!GEMINI_CLI_IDE_SERVER_PORT", "!GEMINI_CLI_IDE_WORKSPACE_PATH"],
  ],
  sessionLost: /error resuming session/i,
  start({ model, isReadOnly, resume, server, scratch, environment }) {
    const served = server && withServer(server, { scratch, environment });
    return {
      args: [
        ...["--output-format", "stream-json"],
        ...(model === undefined ? [] : ["--model", model]),
        ...(resume === undefined ? [] : ["--resume", resume]),
        // Without it no tool that writes is there: nobody could be asked.
        ...(isReadOnly ? [] : ["--approval-mode", "yolo"]),
        ...(served?.args ?? []),
      ],
      ...(isReadOnly && { lastArgs: ["--approval-mode", "plan"] }),
      // A desk is no folder that the user has trusted, and it does nothing in others.
      environment: { GEMINI_CLI_TRUST_WORKSPACE: "true", ...served?.environment },
      ...(served && { files: served.files, mirrors: served.mirrors }),
    };
  },
  hear(event, { desk }) {
    switch (event.type) {
      case "init":
        return [{ heard: "session", id: wordField(event.session_id) }];
      case "message":
        return event.role === "assistant" ? [{ heard: "piece", text: textField(event.content) ?? "" }] : [];
      case "tool_use":
        return [{ heard: "action", words: wordsFor(event, desk) }];
      case "result":
        return hearResult(event);
      default:
        return [];
    }
  },
  givesUp(line) {
    const [, attempt, message = ""] = /^Attempt (\d+) failed:? (.+)$/.exec(line) ?? [];
    if (Number(attempt) < attemptsMax || attempt === undefined) return undefined;
    const [, status] = /\bstatus (\d{3})\b/.exec(message) ?? [];
    return { message, ...(status !== undefined && { status: Number(status) }) };
  },
};

/**
 * It knows servers from its settings and from extensions, all of which are the user's, and system settings count only
 * where they belong to root. So it gets a home of its own with an extension of ours, and links to all the rest.
 */
function withServer(
  { name, command: [command, ...args], environment: env }: TurnServer,
  { scratch, environment }: Pick<ClientWish, "scratch" | "environment">,
) {
  const theirs = environment.GEMINI_CLI_HOME ?? environment.HOME ?? "/";
  const extension = { name: "cox-turn", version: "1.0.0", mcpServers: { [name]: { command, args, env } } };
  return {
    args: ["--policy", join(scratch, policyFile)],
    environment: { GEMINI_CLI_HOME: join(scratch, home) },
    mirrors: [
      { of: theirs, at: home, only: [".env", ".agents"] },
      // Conversations are in the two that are made.
      {
        of: join(theirs, ".gemini"),
        at: join(home, ".gemini"),
        except: ["extensions"],
        makes: ["tmp", "history"],
        // Settings are the user's to change; the others are of a write under way, when it was ended.
        staysBehind: /^settings\.json$|\.(tmp|lock)(\.|$)/,
      },
      { of: join(theirs, ".gemini", "extensions"), at: join(home, ".gemini", "extensions") },
    ],
    files: {
      [join(home, ".gemini/extensions/cox-turn/gemini-extension.json")]: JSON.stringify(extension),
      [policyFile]: policyFor(name),
    },
  };
}

const home = "gemini-home";
const policyFile = "gemini-policy.toml";

/** Nobody is there to be asked. */
function policyFor(server: string): string {
  const modes = '["default", "autoEdit", "yolo", "plan"]';
  const rule = { mcpName: `"${server}"`, toolName: '"*"', decision: '"allow"', priority: 900, modes };
  const lines = Object.entries(rule).map(([key, value]) => `${key} = ${value}`);
  return ["[[rule]]", ...lines, ""].join("\n");
}

/** Of ten that take it minutes, each longer than the one before; no setting of a turn's own can say so. */
const attemptsMax = 3;

function wordsFor({ tool_name, parameters }: ClientEvent, desk: string): string {
  return actionWords({ tool: textField(tool_name) ?? "a tool", input: parameters, desk });
}

function hearResult({ status, error, stats }: ClientEvent): readonly Heard[] {
  const { models, ...all } = recordField(stats);
  const byModel = Object.entries(recordField(models)).map(([model, used]) => ({
    model,
    ...countsOf(recordField(used)),
  }));
  return [
    {
      heard: "usage",
      of: "turn",
      usage: { ...countsOf(all), ...(byModel.length > 0 && { models: byModel }) },
    },
    status === "success"
      ? { heard: "complete" }
      : { heard: "trouble", trouble: troubleOf(recordField(error)) },
  ];
}

function countsOf({ input_tokens, output_tokens, total_tokens, cached }: ClientEvent) {
  const inputTokens = countField(input_tokens);
  return {
    inputTokens,
    // What it thought is in the total only.
    outputTokens: Math.max(countField(output_tokens), countField(total_tokens) - inputTokens),
    cachedInputTokens: countField(cached),
  };
}

function troubleOf({ type, message }: ClientEvent): Trouble {
  const said = textField(message) ?? "it gave no reason";
  const [, status] = /"code":\s*(\d{3})\b/.exec(said) ?? [];
  return {
    message: said,
    ...(status !== undefined && { status: Number(status) }),
    ...(type === "FatalTurnLimitedError" && { code: "AGENT_LIMIT" }),
  };
}
