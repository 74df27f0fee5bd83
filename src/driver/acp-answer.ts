/**
 * What the answer to a prompt says: whether the turn went well, what it used. Agents disagree on where they say it, and some
 * call a failed request a turn that ended well.
 */
import { oneLine } from "../std/printable.ts";
import type { AcpQuirks } from "./acp-quirks.ts";
import type { ClientEvent, Trouble } from "./agent-client.ts";
import type { Usage } from "./driver.ts";
import { countField, listField, recordField, wordField } from "./event-fields.ts";
import type { KeptTurn } from "./pi-session.ts";

export interface Answered {
  readonly answer: ClientEvent;
  readonly quirks: AcpQuirks;
  /** The messages of its model. */
  readonly said: readonly string[];
  /** Whether its model's last word came after all that it did. */
  readonly isAnswered: boolean;
  /** What it keeps of the turn. */
  readonly kept?: KeptTurn | undefined;
  /** What it said last that is none. */
  readonly aside: string;
  /** What it asked for last that it was refused. */
  readonly refused?: string | undefined;
}

/** Nothing where it went well. */
export function acpTrouble(answered: Answered): Trouble | undefined {
  const { answer, refused } = answered;
  switch (answer.stopReason) {
    case "end_turn":
      return hiddenTrouble(answered);
    case "max_tokens":
      return { message: "its model's answer was cut off at the longest that it may be", code: "AGENT_LIMIT" };
    case "max_turn_requests":
      return { message: "it asked its model as often as it may in one turn", code: "AGENT_LIMIT" };
    case "refusal":
      return { message: "its model declined to go on", code: "AGENT_REFUSED" };
    case "cancelled": {
      const why = refused === undefined ? "" : `, because it was refused: ${refused}`;
      return { message: `it ended its turn itself${why}`, code: "AGENT_NO_RESULT" };
    }
    default: {
      const reason = oneLine(wordField(answer.stopReason), 60);
      return { message: `it ended its turn by ${reason}, which we do not know`, code: "AGENT_PROTOCOL" };
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
      return { message: "it ended its turn without a last word, as it does when its model fails" };
    default:
      return undefined;
  }
}

/** By model where that is told, since only there is counted what it asked on its own account. */
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
    // What came from a cache is not in the input of all of them, but in the total.
    return { outputTokens, inputTokens: Math.max(inputTokens, countField(count.totalTokens) - outputTokens) };
  });
  const total = (name: "inputTokens" | "outputTokens") => read.reduce((all, one) => all + one[name], 0);
  const usage = { inputTokens: total("inputTokens"), outputTokens: total("outputTokens") };
  return usage.inputTokens + usage.outputTokens === 0 ? undefined : usage;
}

/** From the last message with the turn's fence on, else the last one: never all of it. */
export function acpReply(said: readonly string[], fence: string): string {
  const from = said.findLastIndex((message) => message.includes(fence));
  return from === -1 ? (said.at(-1) ?? "") : said.slice(from).join("\n");
}
