/**
 * Reads what pi stores about a conversation: a file of JSON lines below its folder. pi-acp reports neither that a
 * request to the model failed, nor why, nor what was used; the file does.
 *
 * Its shape is never trusted, and without the file nothing is known.
 */
import { join } from "node:path";
import { errnoOf } from "../../world/files/errno.ts";
import type { PlainFiles } from "../../world/files/plain-files.ts";
import type { Usage } from "../driver.ts";
import { usageOfModels } from "../model/model-usage.ts";
import type { ClientEvent, Trouble } from "../programs/agent-client.ts";
import { countField, recordField, textField, usdMicrosField } from "../programs/event-fields.ts";
import { EventLines } from "../programs/event-lines.ts";

export interface KeptWhere {
  readonly files: Pick<PlainFiles, "list" | "read">;
  readonly environment: Readonly<Record<string, string>>;
  /** The session id of the protocol. */
  readonly session: string;
}

/** How the newest turn went. */
export interface KeptTurn {
  /** Missing when it went well. */
  readonly trouble?: Trouble;
  readonly usage?: Usage;
}

export function piSession(where: KeptWhere): KeptTurn | undefined {
  const messages = messagesOf(where);
  const prompt = messages.findLastIndex(({ role }) => role === "user");
  const answers = messages.slice(prompt + 1).filter(({ role }) => role === "assistant");
  const last = answers.at(-1);
  if (prompt === -1 || last === undefined) return undefined;
  const trouble = troubleIn(last);
  return { usage: usageOf(answers), ...(trouble && { trouble }) };
}

function messagesOf({ files, environment, session }: KeptWhere): readonly ClientEvent[] {
  const { HOME = "/", PI_CODING_AGENT_DIR = join(HOME, ".pi", "agent") } = environment;
  const root = environment.PI_CODING_AGENT_SESSION_DIR ?? join(PI_CODING_AGENT_DIR, "sessions");
  const messages: ClientEvent[] = [];
  const lines = new EventLines({
    onEvent: ({ type, message }) => {
      if (type === "message") messages.push(recordField(message));
    },
    onOthers() {},
  });
  const namesIn = (folder: string) => orNone(() => files.list(folder)).map((name) => join(folder, name));
  // One folder per working folder, each with all conversations held there.
  const folders = namesIn(root).filter((path) => !path.endsWith(".jsonl"));
  const path = [root, ...folders].flatMap(namesIn).find((one) => one.endsWith(`_${session}.jsonl`));
  if (path !== undefined) for (const bytes of orNone(() => [files.read(path)])) lines.push(bytes);
  lines.end();
  return messages;
}

/** What cannot be read counts as missing. */
function orNone<Thing>(read: () => readonly Thing[]): readonly Thing[] {
  try {
    return read();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}

function troubleIn({ stopReason, errorMessage }: ClientEvent): Trouble | undefined {
  switch (stopReason) {
    case "error": {
      const message = textField(errorMessage) ?? "it gave no reason";
      const [, status] = /^(?:\S+ error: )?(\d{3})\b/i.exec(message) ?? [];
      return { message, ...(status !== undefined && { status: Number(status) }) };
    }
    case "length":
      return { message: "its model's answer was cut off at the maximum length", code: "AGENT_LIMIT" };
    default:
      return undefined;
  }
}

function usageOf(answers: readonly ClientEvent[]): Usage {
  const models = answers.map(({ model, usage }) => {
    const { input, output, cacheRead, cacheWrite } = recordField(usage);
    return {
      model: textField(model) ?? "",
      inputTokens: countField(input) + countField(cacheRead) + countField(cacheWrite),
      outputTokens: countField(output),
      cachedInputTokens: countField(cacheRead),
    };
  });
  const costs = answers.map(({ usage }) => usdMicrosField(recordField(recordField(usage).cost).total));
  const usdMicros = costs.reduce((sum, cost) => sum + cost, 0);
  return { ...usageOfModels(models), ...(usdMicros > 0 && { usdMicros }) };
}
