/**
 * What Codex's app server tells of its thread → what is heard of it. Nothing in it is believed to have any shape; what is
 * not known is a sign of life and no more.
 */
import { present } from "../std/present.ts";
import { oneLine } from "../std/printable.ts";
import type { ClientEvent, Heard, Trouble } from "./agent-client.ts";
import { hearAction, hearUsage, statusIn } from "./codex.ts";
import type { FailureCode } from "./driver.ts";
import { countField, recordField, textField, wordField } from "./event-fields.ts";

export interface ThreadPlace {
  readonly desk: string;
  readonly thread: string;
  /** What the thread had used before this turn. */
  readonly counters: readonly number[];
}

/** What is told of other threads, which its model may begin, is passed over. */
export class AppServerEvents {
  readonly #place: ThreadPlace;
  #turn: string | undefined;

  constructor(place: ThreadPlace) {
    this.#place = place;
  }

  hear(method: string, params: ClientEvent): readonly Heard[] {
    if (method === "account/rateLimits/updated") return hearLimit(recordField(params.rateLimits));
    if (params.threadId !== this.#place.thread) return [];
    switch (method) {
      case "turn/started":
        this.begin(recordField(params.turn));
        return [];
      case "item/started":
        return hearAction(asPrinted(recordField(params.item)), this.#place.desk);
      case "item/completed":
        return hearMessage(recordField(params.item));
      case "thread/tokenUsage/updated":
        return params.turnId === this.#turn ? this.#hearUsage(recordField(params.tokenUsage)) : [];
      default:
        return [];
    }
  }

  /** Told of it by an event or by an answer, whichever comes first. */
  begin({ id }: ClientEvent): void {
    this.#turn ??= textField(id);
  }

  get turn(): string | undefined {
    return this.#turn;
  }

  #hearUsage({ total }: ClientEvent): readonly Heard[] {
    const { inputTokens, outputTokens, cachedInputTokens } = recordField(total);
    const usage = {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cached_input_tokens: cachedInputTokens,
    };
    return hearUsage({ usage }, this.#place.counters);
  }
}

/** The program that prints its events names the same items otherwise. */
function asPrinted(item: ClientEvent): ClientEvent {
  const type = (textField(item.type) ?? "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { ...item, type };
}

function hearMessage({ type, text }: ClientEvent): readonly Heard[] {
  return type === "agentMessage" ? [{ heard: "message", text: textField(text) ?? "" }] : [];
}

/** Of a window that is used up. */
function hearLimit({ primary, secondary }: ClientEvent): readonly Heard[] {
  return [primary, secondary]
    .map(recordField)
    .filter(({ usedPercent }) => countField(usedPercent) >= 100)
    .map(({ resetsAt }) => countField(resetsAt))
    .filter((resetsAt) => resetsAt > 0)
    .sort((one, other) => one - other)
    .slice(-1)
    .map((resetsAt) => ({ heard: "limit", resetsAt }));
}

/** Nothing where it went well. */
export function turnTrouble({ status, error }: ClientEvent): Trouble | undefined {
  switch (status) {
    case "completed":
      return undefined;
    case "failed":
      return errorTrouble(recordField(error));
    case "interrupted":
      return { message: "it ended its turn itself", code: "AGENT_NO_RESULT" };
    default:
      return {
        message: `it ended its turn by ${oneLine(wordField(status), 60)}, which we do not know`,
        code: "AGENT_PROTOCOL",
      };
  }
}

function errorTrouble({ message: said, codexErrorInfo }: ClientEvent): Trouble {
  const message = textField(said) ?? "it gave no reason";
  const [details] = Object.values(recordField(codexErrorInfo)).map(recordField);
  const status = countField(details?.httpStatusCode) || statusIn(message);
  const code = typeof codexErrorInfo === "string" ? errorCodes.get(codexErrorInfo) : undefined;
  return { message, ...present({ status, code }) };
}

/** Those that say more than the words beside them. */
const errorCodes: ReadonlyMap<string, FailureCode> = new Map([
  ["contextWindowExceeded", "AGENT_CONTEXT"],
  ["usageLimitExceeded", "AGENT_RATE_LIMIT"],
  ["rateLimitExceeded", "AGENT_RATE_LIMIT"],
  ["unauthorized", "AGENT_NOT_SIGNED_IN"],
  ["sessionBudgetExceeded", "AGENT_LIMIT"],
  ["cyberPolicy", "AGENT_REFUSED"],
  ["misalignmentPolicyViolation", "AGENT_REFUSED"],
]);
