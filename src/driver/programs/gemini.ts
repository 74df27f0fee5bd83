/**
 * The Gemini CLI. When interrupted, it exits with code 0 and no result. It reports retries on stderr only. Its messages
 * come in pieces.
 */
import { join } from "node:path";
import type { TurnServer } from "../driver.ts";
import { actionWords } from "./action-words.ts";
import type { AgentClient, ClientEvent, ClientSignal, ClientStartOptions, Trouble } from "./agent-client.ts";
import { networkVariables } from "./client-variables.ts";
import { countField, recordField, textField, wordField } from "./event-fields.ts";
import { folderOf, homeIn } from "./program-home.ts";

export const gemini: AgentClient = {
  name: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  install: "npm install -g @google/gemini-cli",
  signIn: "Start gemini by hand and sign in, or set GEMINI_API_KEY",
  variables: [
    ...["GEMINI_*", "GOOGLE_*", ...networkVariables],
    // These belong to the editor or session that we ourselves may run in.
    ...["!GEMINI_CLI", "!GEMINI_CLI_IDE_SERVER_PORT", "!GEMINI_CLI_IDE_WORKSPACE_PATH"],
  ],
  home: (environment) =>
    homeIn(join(folderOf(environment, "GEMINI_CLI_HOME", ""), ".gemini"), {
      folders: ["tmp", "history"],
      files: ["oauth_creds.json", "google_accounts.json"],
      obeyed: [
        ...["settings.json", "GEMINI.md", "trustedFolders.json", ".env", "tmp/bin"],
        ...["extensions", "commands", "skills", "agents", "policies", "hooks"],
      ],
    }),
  sessionLost: /error resuming session/i,
  start({ model, isReadOnly, resume, server, scratch, environment }) {
    const served = server && withServer(server, { scratch, environment });
    return {
      args: [
        ...["--output-format", "stream-json"],
        ...(model === undefined ? [] : ["--model", model]),
        ...(resume === undefined ? [] : ["--resume", resume]),
        // Without this there are no tools that write, since nobody could be asked.
        ...(isReadOnly ? [] : ["--approval-mode", "yolo"]),
        ...(served?.args ?? []),
      ],
      ...(isReadOnly && { lastArgs: ["--approval-mode", "plan"] }),
      // A desk is not a folder that the user has trusted, and it does nothing in untrusted ones.
      environment: { GEMINI_CLI_TRUST_WORKSPACE: "true", ...served?.environment },
      ...(served && { files: served.files, mirrors: served.mirrors }),
    };
  },
  signalsOf(event, { desk }) {
    switch (event.type) {
      case "init":
        return [{ kind: "session", id: wordField(event.session_id) }];
      case "message":
        return event.role === "assistant" ? [{ kind: "piece", text: textField(event.content) ?? "" }] : [];
      case "tool_use":
        return [{ kind: "action", toolUse: wordField(event.tool_id), words: wordsFor(event, desk) }];
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
 * It reads servers from its settings and from extensions, all of which are the user's, and system settings count only
 * if they belong to root. So it gets a home of its own with our extension in it and links to everything else.
 */
function withServer(
  { name, command: [command, ...args], environment: env }: TurnServer,
  { scratch, environment }: Pick<ClientStartOptions, "scratch" | "environment">,
) {
  const theirs = environment.GEMINI_CLI_HOME ?? environment.HOME ?? "/";
  const extension = { name: "cox-turn", version: "1.0.0", mcpServers: { [name]: { command, args, env } } };
  return {
    args: ["--policy", join(scratch, policyFile)],
    environment: { GEMINI_CLI_HOME: join(scratch, home) },
    mirrors: [
      { of: theirs, at: home, only: [".env", ".agents"] },
      // The two folders in `makes` hold conversations.
      {
        of: join(theirs, ".gemini"),
        at: join(home, ".gemini"),
        except: ["extensions"],
        makes: ["tmp", "history"],
        // Its sign-in, and the names it gives itself and the desk: nothing that it would obey.
        bringsHome: [
          ...["oauth_creds.json", "google_accounts.json"],
          ...["installation_id", "projects.json", "state.json"],
        ],
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

/** Allows all tools of the server, since nobody is there to be asked. */
function policyFor(server: string): string {
  const modes = '["default", "autoEdit", "yolo", "plan"]';
  const rule = { mcpName: `"${server}"`, toolName: '"*"', decision: '"allow"', priority: 900, modes };
  const lines = Object.entries(rule).map(([key, value]) => `${key} = ${value}`);
  return ["[[rule]]", ...lines, ""].join("\n");
}

/**
 * It would make ten attempts over several minutes, each wait longer than the last, and no per-turn setting limits that.
 */
const attemptsMax = 3;

function wordsFor({ tool_name, parameters }: ClientEvent, desk: string): string {
  return actionWords({ tool: textField(tool_name) ?? "a tool", input: parameters, desk });
}

function hearResult({ status, error, stats }: ClientEvent): readonly ClientSignal[] {
  const { models, ...all } = recordField(stats);
  const byModel = Object.entries(recordField(models)).map(([model, used]) => ({
    model,
    ...countsOf(recordField(used)),
  }));
  return [
    {
      kind: "usage",
      of: "turn",
      usage: { ...countsOf(all), ...(byModel.length > 0 && { models: byModel }) },
    },
    status === "success" ? { kind: "complete" } : { kind: "trouble", trouble: troubleOf(recordField(error)) },
  ];
}

function countsOf({ input_tokens, output_tokens, total_tokens, cached }: ClientEvent) {
  const inputTokens = countField(input_tokens);
  return {
    inputTokens,
    // Thinking tokens are only in the total.
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
