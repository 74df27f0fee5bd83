/**
 * What pi writes down of a conversation, a file of lines below its folder. pi-acp tells neither why a request to the model
 * failed, nor that it did, nor what was used; the file does.
 *
 * Nothing in it is believed to have any shape, and where it is not found nothing is known.
 */
import { join } from "node:path";
import { errnoOf } from "../world/errno.ts";
import type { PlainFiles } from "../world/plain-files.ts";
import type { ClientEvent, Trouble } from "./agent-client.ts";
import type { Usage } from "./driver.ts";
import { countField, recordField, textField, usdMicrosField } from "./event-fields.ts";
import { EventLines } from "./event-lines.ts";
import { usageOfModels } from "./model-usage.ts";

export interface KeptWhere {
  readonly files: Pick<PlainFiles, "list" | "read">;
  readonly environment: Readonly<Record<string, string>>;
  /** As the protocol calls it. */
  readonly session: string;
}

/** Of the newest turn. */
export interface KeptTurn {
  /** Nothing where it went well. */
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
  // By folder of work, each with all conversations that were had there.
  const folders = namesIn(root).filter((path) => !path.endsWith(".jsonl"));
  const path = [root, ...folders].flatMap(namesIn).find((one) => one.endsWith(`_${session}.jsonl`));
  if (path !== undefined) for (const bytes of orNone(() => [files.read(path)])) lines.push(bytes);
  lines.end();
  return messages;
}

/** What cannot be read is not there. */
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
      return { message: "its model's answer was cut off at the longest that it may be", code: "AGENT_LIMIT" };
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
