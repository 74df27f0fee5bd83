/**
 * opencode. No event ends a turn: it went well when its last step ended with `stop` and no error followed. Usage is
 * reported for each step.
 */
import { join } from "node:path";
import type { TurnServer } from "../driver.ts";
import { actionWords } from "./action-words.ts";
import type { AgentClient, ClientEvent, ClientSignal, Trouble } from "./agent-client.ts";
import { networkVariables } from "./client-variables.ts";
import { countField, recordField, textField, usdMicrosField, wordField } from "./event-fields.ts";
import { folderOf } from "./program-home.ts";

export const opencode: AgentClient = {
  name: "opencode",
  title: "opencode",
  program: "opencode",
  install: "npm install -g opencode-ai",
  signIn: "Type opencode auth login",
  variables: ["OPENCODE_*", "XDG_*", ...networkVariables, "!OPENCODE_SERVER", "!OPENCODE_SESSION_ID"],
  tellsCost: true,
  home(environment) {
    const {
      HOME = "/",
      XDG_CACHE_HOME = join(HOME, ".cache"),
      XDG_STATE_HOME = join(HOME, ".local/state"),
    } = environment;
    const data = join(folderOf(environment, "XDG_DATA_HOME", ".local/share"), "opencode");
    const others = [XDG_CACHE_HOME, XDG_STATE_HOME].map((folder) => join(folder, "opencode"));
    // Files beside its database come and go, so only the whole folder can be kept.
    const obeyed = ["bin", "snapshot", "worktree", "plugin"].map((name) => join(data, name));
    return { keptFolders: [data], keptFiles: [], obeyed, written: [data, ...others] };
  },
  sessionLost: /session not found/i,
  start({ model, isReadOnly, resume, server }) {
    return {
      args: [
        ...["run", "--format", "json"],
        ...(model === undefined ? [] : ["--model", model]),
        ...(resume === undefined ? [] : ["--session", resume]),
      ],
      // An agent of our own, so that permissions of the user's agents do not apply.
      ...(isReadOnly && { lastArgs: ["--agent", "cox-read-only"] }),
      defaults: { OPENCODE_DISABLE_AUTOUPDATE: "1" },
      environment: { OPENCODE_CONFIG_CONTENT: JSON.stringify(settingsFor(isReadOnly, server)) },
    };
  },
  signalsOf(event, { desk }) {
    const part = recordField(event.part);
    switch (event.type) {
      case "step_start":
        return [{ kind: "session", id: wordField(event.sessionID) }, { kind: "going-on" }];
      case "text":
        return [{ kind: "message", text: textField(part.text) ?? "" }];
      case "tool_use":
        return [{ kind: "action", toolUse: wordField(part.id), words: wordsFor(part, desk) }];
      case "step_finish":
        return [{ kind: "usage", of: "step", usage: usageOf(part) }, ...hearFinish(part)];
      case "error":
        return [{ kind: "trouble", trouble: troubleOf(recordField(event.error)) }];
      default:
        return [];
    }
  },
};

/** If the user's settings say `ask`, nobody is there to answer, and that means no. */
function settingsFor(isReadOnly: boolean, server: TurnServer | undefined) {
  const permission = { ...(isReadOnly ? denied : allowed), ...(server && { [`${server.name}_*`]: "allow" }) };
  const agent = { mode: "primary", description: "Judges and changes nothing.", permission };
  return {
    permission,
    ...(isReadOnly && { agent: { "cox-read-only": agent } }),
    ...(server && { mcp: mcpSettings(server) }),
  };
}

const allowed = { edit: "allow", bash: "allow" };
const denied = { edit: "deny", bash: "deny", webfetch: "deny", task: "deny" };

function mcpSettings({ name, command, environment }: TurnServer) {
  // By default it gets five seconds to list the tools, or goes without them: too short on a busy machine.
  return { [name]: { type: "local", command, environment, enabled: true, timeout: 60_000 } };
}

function wordsFor({ tool, state }: ClientEvent, desk: string): string {
  return actionWords({ tool: textField(tool) ?? "a tool", input: recordField(state).input, desk });
}

function hearFinish({ reason }: ClientEvent): readonly ClientSignal[] {
  if (reason === "stop") return [{ kind: "complete" }];
  if (reason !== "length") return [];
  const message = "its model's answer was cut off at the maximum length";
  return [{ kind: "trouble", trouble: { message, code: "AGENT_LIMIT" } }];
}

function usageOf({ tokens, cost }: ClientEvent) {
  const { input, output, reasoning, cache } = recordField(tokens);
  const { read, write } = recordField(cache);
  return {
    inputTokens: countField(input) + countField(read) + countField(write),
    outputTokens: countField(output) + countField(reasoning),
    cachedInputTokens: countField(read),
    usdMicros: usdMicrosField(cost),
  };
}

function troubleOf({ name, data }: ClientEvent): Trouble {
  const { message, statusCode, responseHeaders } = recordField(data);
  const status = countField(statusCode);
  const retryAfterMs = countField(Number(recordField(responseHeaders)["retry-after"])) * 1000;
  return {
    message: textField(message) ?? textField(name) ?? "it gave no reason",
    ...(status > 0 && { status }),
    ...(retryAfterMs > 0 && { retryAfterMs }),
    ...(name === "ContextOverflowError" && { code: "AGENT_CONTEXT" }),
    ...(name === "ContentFilterError" && { code: "AGENT_REFUSED" }),
  };
}
