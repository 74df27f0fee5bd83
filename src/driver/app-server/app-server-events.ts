/**
 * Turns the events of Codex's app server into signals. Their shape is never trusted; an unknown event is a sign of life
 * and nothing more.
 */
import { present } from "../../std/present.ts";
import { oneLine } from "../../std/printable.ts";
import type { FailureCode } from "../driver.ts";
import type { ClientEvent, ClientSignal, Trouble } from "../programs/agent-client.ts";
import { actionSignals, statusIn, usageSignals } from "../programs/codex.ts";
import { countField, recordField, textField, wordField } from "../programs/event-fields.ts";

export interface ThreadPlace {
  readonly desk: string;
  readonly thread: string;
  /** What the thread had used before this turn. */
  readonly counters: readonly number[];
}

/** Ignores the events of other threads, which the model may start. */
export class AppServerEvents {
  readonly #place: ThreadPlace;
  #turn: string | undefined;

  constructor(place: ThreadPlace) {
    this.#place = place;
  }

  signalsOf(method: string, params: ClientEvent): readonly ClientSignal[] {
    if (method === "account/rateLimits/updated") return limitSignals(recordField(params.rateLimits));
    if (params.threadId !== this.#place.thread) return [];
    switch (method) {
      case "turn/started":
        this.begin(recordField(params.turn));
        return [];
      case "item/started":
        return actionSignals(asPrinted(recordField(params.item)), this.#place.desk);
      case "item/completed":
        return messageSignals(recordField(params.item));
      case "thread/tokenUsage/updated":
        return params.turnId === this.#turn ? this.#usageSignals(recordField(params.tokenUsage)) : [];
      default:
        return [];
    }
  }

  /** Called for an event or an answer, whichever comes first. */
  begin({ id }: ClientEvent): void {
    this.#turn ??= textField(id);
  }

  get turn(): string | undefined {
    return this.#turn;
  }

  #usageSignals({ total }: ClientEvent): readonly ClientSignal[] {
    const { inputTokens, outputTokens, cachedInputTokens } = recordField(total);
    const usage = {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cached_input_tokens: cachedInputTokens,
    };
    return usageSignals({ usage }, this.#place.counters);
  }
}

/** `codex exec`, which prints its events, has other names for the same items. */
function asPrinted(item: ClientEvent): ClientEvent {
  const type = (textField(item.type) ?? "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { ...item, type };
}

function messageSignals({ type, text }: ClientEvent): readonly ClientSignal[] {
  return type === "agentMessage" ? [{ kind: "message", text: textField(text) ?? "" }] : [];
}

/** Reports when the limit windows that are used up reset: the latest of them. */
function limitSignals({ primary, secondary }: ClientEvent): readonly ClientSignal[] {
  return [primary, secondary]
    .map(recordField)
    .filter(({ usedPercent }) => countField(usedPercent) >= 100)
    .map(({ resetsAt }) => countField(resetsAt))
    .filter((resetsAt) => resetsAt > 0)
    .sort((one, other) => one - other)
    .slice(-1)
    .map((resetsAt) => ({ kind: "limit", resetsAt }));
}

/** `undefined` when it went well. */
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
        message: `it ended its turn with the unknown status ${oneLine(wordField(status), 60)}`,
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

/** The error codes that say more than the message beside them. */
const errorCodes: ReadonlyMap<string, FailureCode> = new Map([
  ["contextWindowExceeded", "AGENT_CONTEXT"],
  ["usageLimitExceeded", "AGENT_RATE_LIMIT"],
  ["rateLimitExceeded", "AGENT_RATE_LIMIT"],
  ["unauthorized", "AGENT_NOT_SIGNED_IN"],
  ["sessionBudgetExceeded", "AGENT_LIMIT"],
  ["cyberPolicy", "AGENT_REFUSED"],
  ["misalignmentPolicyViolation", "AGENT_REFUSED"],
]);
