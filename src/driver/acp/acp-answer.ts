/**
 * Reads the answer to a prompt: whether the turn went well, and what it used. Agents differ in where they say it, and
 * some report a failed request as a turn that ended well.
 */
import { oneLine } from "../../std/printable.ts";
import type { Usage } from "../driver.ts";
import type { ClientEvent, Trouble } from "../programs/agent-client.ts";
import { countField, listField, recordField, wordField } from "../programs/event-fields.ts";
import type { AcpQuirks } from "./acp-quirks.ts";
import type { KeptTurn } from "./pi-session.ts";

export interface Answered {
  readonly answer: ClientEvent;
  readonly quirks: AcpQuirks;
  /** The messages of the agent's model. */
  readonly said: readonly string[];
  /** Whether the model's last message came after all tool calls. */
  readonly isAnswered: boolean;
  /** What the agent itself stored about the turn. */
  readonly kept?: KeptTurn | undefined;
  /** The last thing it said that is not a message of its model. */
  readonly aside: string;
  /** The last tool call that was refused. */
  readonly refused?: string | undefined;
}

/** `undefined` when it went well. */
export function acpTrouble(answered: Answered): Trouble | undefined {
  const { answer, refused } = answered;
  switch (answer.stopReason) {
    case "end_turn":
      return hiddenTrouble(answered);
    case "max_tokens":
      return { message: "its model's answer was cut off at the maximum length", code: "AGENT_LIMIT" };
    case "max_turn_requests":
      return { message: "it used all the model requests allowed in one turn", code: "AGENT_LIMIT" };
    case "refusal":
      return { message: "its model declined to continue", code: "AGENT_REFUSED" };
    case "cancelled": {
      const why = refused === undefined ? "" : `, because it was refused: ${refused}`;
      return { message: `it ended its turn itself${why}`, code: "AGENT_NO_RESULT" };
    }
    default: {
      const reason = oneLine(wordField(answer.stopReason), 60);
      return { message: `it ended its turn with the unknown reason ${reason}`, code: "AGENT_PROTOCOL" };
    }
  }
}

function hiddenTrouble({ answer, quirks, said, isAnswered, kept, aside }: Answered): Trouble | undefined {
  switch (quirks.failsBy) {
    case "no-usage": {
      if (acpUsage(answer) !== undefined) return undefined;
      const message = aside || said.at(-1) || "it gave no reason";
      const [, status] = /\bstatus:? (\d{3})\b/.exec(message) ?? [];
      return { message, ...(status !== undefined && { status: Number(status) }) };
    }
    case "no-word":
      if (kept !== undefined || isAnswered) return kept?.trouble;
      return { message: "it ended its turn without a reply, as it does when its model fails" };
    default:
      return undefined;
  }
}

/** Summed by model if reported, since only there its requests on its own account are counted. */
export function acpUsage({ usage, _meta }: ClientEvent): Usage | undefined {
  const { token_count, model_usage } = recordField(recordField(_meta).quota);
  const models = listField(model_usage).map((one) => recordField(recordField(one).token_count));
  const counts = [models, [recordField(usage)], [recordField(token_count)]].map(sum);
  return counts.find((count) => count !== undefined);
}

function sum(counts: readonly ClientEvent[]): Usage | undefined {
  const read = counts.map((count) => {
    const outputTokens = countField(count.outputTokens ?? count.output_tokens);
    const inputTokens = countField(count.inputTokens ?? count.input_tokens);
    // Not all agents include cached tokens in the input, but the total does.
    return { outputTokens, inputTokens: Math.max(inputTokens, countField(count.totalTokens) - outputTokens) };
  });
  const total = (name: "inputTokens" | "outputTokens") => read.reduce((all, one) => all + one[name], 0);
  const usage = { inputTokens: total("inputTokens"), outputTokens: total("outputTokens") };
  return usage.inputTokens + usage.outputTokens === 0 ? undefined : usage;
}

/** From the last message that contains the turn's fence; otherwise only the last message. Never all of them. */
export function acpReply(said: readonly string[], fence: string): string {
  const from = said.findLastIndex((message) => message.includes(fence));
  return from === -1 ? (said.at(-1) ?? "") : said.slice(from).join("\n");
}
