/**
 * Claude Code. A failed request is reported as `subtype: "success"` with `is_error`, and an interrupted turn exits with
 * code 0 and no result at all. So only a `result` event without `is_error` counts as success.
 */
import { join } from "node:path";
import { present } from "../../std/present.ts";
import type { FailureCode, TurnServer } from "../driver.ts";
import { usageOfModels } from "../model/model-usage.ts";
import { actionWords } from "./action-words.ts";
import type { AgentClient, ClientEvent, ClientSignal, Trouble } from "./agent-client.ts";
import { networkVariables } from "./client-variables.ts";
import { countField, listField, recordField, textField, usdMicrosField, wordField } from "./event-fields.ts";
import { folderOf, homeIn } from "./program-home.ts";

export const claudeCode: AgentClient = {
  name: "claude-code",
  title: "Claude Code",
  program: "claude",
  install: "npm install -g @anthropic-ai/claude-code",
  signIn: "Start claude by hand and type /login, or set ANTHROPIC_API_KEY",
  variables: [
    ...["ANTHROPIC_*", "CLAUDE_*", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", ...networkVariables],
    // These belong to the session, editor or plugin that we ourselves may run in.
    ...["!CLAUDE_CODE_SSE_PORT", "!CLAUDE_CODE_ENTRYPOINT", "!CLAUDE_CODE_SESSION_ID"],
    ...["!CLAUDE_PROJECT_DIR", "!CLAUDE_PLUGIN_ROOT", "!CLAUDE_ENV_FILE"],
  ],
  tellsCost: true,
  home({ HOME = "/", ...environment }, desk) {
    const folder = folderOf({ HOME, ...environment }, "CLAUDE_CONFIG_DIR", ".claude");
    const home = homeIn(folder, {
      // Not those of other folders: beside their conversations it keeps what it should remember there.
      folders: [join("projects", projectName(desk))],
      files: [".credentials.json"],
      obeyed: [
        ...["settings.json", "settings.local.json", "CLAUDE.md", "rules", "output-styles"],
        ...["agents", "commands", "hooks", "skills", "plugins"],
      ],
    });
    // `.claude.json`, beside its folder, holds counters and servers.
    return { ...home, written: [folder, join(HOME, ".claude.json")] };
  },
  sessionLost: /no conversation found/i,
  start({ model, isReadOnly, resume, server }) {
    const sources = isReadOnly ? "user" : "user,project";
    return {
      args: [
        ...["-p", "--output-format", "stream-json", "--verbose", "--strict-mcp-config"],
        // Hooks found at a desk may have been written by the agent that is to be judged.
        ...["--setting-sources", sources],
        ...(model === undefined ? [] : ["--model", model]),
        ...(resume === undefined ? [] : ["--resume", resume]),
        ...(server === undefined
          ? []
          : ["--mcp-config", mcpConfig(server), "--allowedTools", `mcp__${server.name}`]),
        // Nobody is there to answer permission prompts.
        ...(isReadOnly ? [] : ["--permission-mode", "acceptEdits", "--allowedTools", writeTools]),
      ],
      ...(isReadOnly && {
        lastArgs: [
          ...["--permission-mode", "default", "--tools", readTools],
          ...["--disallowedTools", writeTools],
        ],
      }),
      defaults: {
        // The default is ten, which takes minutes even when a key is refused.
        CLAUDE_CODE_MAX_RETRIES: "3",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        // By default it waits five seconds for servers and then starts without their tools: too short on a busy
        // machine.
        ...(server && { CLAUDE_CODE_MCP_STARTUP_WAIT_MS: "60000", MCP_TIMEOUT: "60000" }),
      },
    };
  },
  signalsOf(event, { desk, resume }) {
    switch (event.type) {
      case "system":
        return hearSystem(event);
      case "assistant":
        return isOwn(event) ? hearAssistant(event, desk) : [];
      case "rate_limit_event":
        return hearLimit(event);
      case "result":
        return hearResult(event, { isResumed: resume !== undefined });
      default:
        return [];
    }
  },
};

/** How it names the folder of a project's conversations. */
function projectName(folder: string): string {
  return folder.replace(/[^a-zA-Z0-9]/g, "-");
}

function mcpConfig({ name, command: [command, ...args], environment: env }: TurnServer): string {
  return JSON.stringify({ mcpServers: { [name]: { command, args, env } } });
}

const writeTools = "Bash,Edit,Write,NotebookEdit";
const readTools = "Read,Grep,Glob";

function hearSystem({ subtype, session_id, attempt, error }: ClientEvent): readonly ClientSignal[] {
  if (subtype === "init") return [{ kind: "session", id: wordField(session_id) }];
  if (subtype !== "api_retry") return [];
  return [
    {
      kind: "action",
      words: `asking its model again (attempt ${countField(attempt)}, ${textField(error) ?? "no answer"})`,
    },
  ];
}

/** Messages of its subagents are not meant for us, and a stand-in for a failed request is not a message. */
function isOwn({ parent_tool_use_id, is_api_error_message }: ClientEvent): boolean {
  return typeof parent_tool_use_id !== "string" && is_api_error_message !== true;
}

function hearAssistant({ message }: ClientEvent, desk: string): readonly ClientSignal[] {
  return listField(recordField(message).content).flatMap((block): ClientSignal[] => {
    const { type, text, name, input, id } = recordField(block);
    if (type === "text" && typeof text === "string") return [{ kind: "message", text }];
    if (type !== "tool_use" || typeof name !== "string") return [];
    return [{ kind: "action", toolUse: wordField(id), words: actionWords({ tool: name, input, desk }) }];
  });
}

function hearLimit({ rate_limit_info }: ClientEvent): readonly ClientSignal[] {
  const resetsAt = countField(recordField(rate_limit_info).resetsAt);
  return resetsAt === 0 ? [] : [{ kind: "limit", resetsAt }];
}

interface Circumstances {
  readonly isResumed: boolean;
}

function hearResult(event: ClientEvent, circumstances: Circumstances): readonly ClientSignal[] {
  const { is_error, subtype, result, structured_output } = event;
  const usage = hearUsage(event, circumstances);
  if (is_error === true || subtype !== "success")
    return [usage, { kind: "trouble", trouble: troubleOf(event) }];
  const text = structured_output === undefined ? textField(result) : JSON.stringify(structured_output);
  return [usage, { kind: "complete", ...present({ text }) }];
}

/**
 * Usage is read by model, because only there its helpers are counted; `usage` covers the conversation alone. In a
 * resumed conversation, `modelUsage` and the cost cover all of it, and a separate field has what came since. Older
 * versions lack that field: then only `usage` is for this turn, and its cost is unknown.
 */
function hearUsage(
  { modelUsage, model_usage_since_last_result: since, total_cost_usd, usage }: ClientEvent,
  { isResumed }: Circumstances,
): ClientSignal {
  if (typeof since === "object" && since !== null)
    return { kind: "usage", of: "step", usage: usageOf(since) };
  if (isResumed) return { kind: "usage", of: "turn", usage: ownUsage(recordField(usage)) };
  const usdMicros = usdMicrosField(total_cost_usd);
  return { kind: "usage", of: "turn", usage: { ...usageOf(modelUsage), usdMicros } };
}

function ownUsage(usage: ClientEvent) {
  const cachedInputTokens = countField(usage.cache_read_input_tokens);
  const written = countField(usage.cache_creation_input_tokens);
  return {
    inputTokens: countField(usage.input_tokens) + cachedInputTokens + written,
    cachedInputTokens,
    outputTokens: countField(usage.output_tokens),
  };
}

function usageOf(byModel: unknown) {
  const used = Object.entries(recordField(byModel)).map(([model, fields]) => ({
    model,
    ...recordField(fields),
  }));
  const models = used.map(({ model, ...fields }: ClientEvent & { model: string }) => {
    const cachedInputTokens = countField(fields.cacheReadInputTokens);
    const written = countField(fields.cacheCreationInputTokens);
    return {
      model,
      inputTokens: countField(fields.inputTokens) + cachedInputTokens + written,
      cachedInputTokens,
      outputTokens: countField(fields.outputTokens),
    };
  });
  const usdMicros = used.reduce((total, { costUSD }: ClientEvent) => total + usdMicrosField(costUSD), 0);
  return { ...usageOfModels(models), usdMicros };
}

function troubleOf({ result, errors, subtype, api_error_status, ...event }: ClientEvent): Trouble {
  const said = listField(errors)
    .flatMap((error) => textField(error) ?? [])
    .join("; ");
  const message = textField(result) || said || wordField(subtype);
  const status = countField(api_error_status);
  return { message, ...(status > 0 && { status }), ...present({ code: codeOf(wordField(subtype), event) }) };
}

function codeOf(subtype: string, { terminal_reason, stop_reason }: ClientEvent): FailureCode | undefined {
  if (subtype.startsWith("error_max_")) return "AGENT_LIMIT";
  if (terminal_reason === "prompt_too_long") return "AGENT_CONTEXT";
  if (wordField(terminal_reason).startsWith("aborted")) return "AGENT_NO_RESULT";
  return stop_reason === "refusal" ? "AGENT_REFUSED" : undefined;
}
