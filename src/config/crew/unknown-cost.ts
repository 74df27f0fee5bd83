/**
 * Whether the cost of an agent's turns will be known, as far as the configuration shows. An agent reports its cost
 * itself, or its tokens and a model that has a price. For any other program, only what it reports is known.
 */
import { oneLine, quote } from "../../std/printable.ts";
import type { CrewAgent } from "./crew.ts";
import { priceOf } from "./prices.ts";

export interface UnknownCost {
  /** Completes "nobody knows what it costs: …". */
  readonly why: string;
  /** What to write to make it known. */
  readonly hint: string;
}

type Priced = Pick<CrewAgent, "driver" | "model" | "acp" | "command" | "prices">;

/** Undefined if the cost will be known. */
export function unknownCost({ driver, model, acp, command = [], prices }: Priced): UnknownCost | undefined {
  switch (driver) {
    case "command":
      return {
        why: "a command agent has a cost only if it reports one",
        hint: 'Have it print a line COX USAGE: {"usd": 0.01}',
      };
    case "scripted":
      return {
        why: "a scripted agent has a cost only if its script reports one",
        hint: "Add a step usage: { usdMicros: 10000 } to its script",
      };
    case "model":
    case "codex":
      return withoutPrice(model, prices);
    // It reports which models it used if none is prescribed.
    case "gemini":
      return model === undefined ? undefined : withoutPrice(model, prices);
    case "acp":
      return tellsCostOverAcp.test(acp ?? command.join(" ")) ? undefined : withoutPrice(model, prices);
    default:
      return undefined;
  }
}

/** The others report tokens, if anything. */
const tellsCostOverAcp = /\b(claude|pi)\b/;

function withoutPrice(model: string | undefined, prices: CrewAgent["prices"]): UnknownCost | undefined {
  if (model === undefined)
    return {
      why: "it names no model, so no price can be found",
      hint: "Name its model: model: gpt-5.5",
    };
  if (priceOf(model, prices) !== undefined) return undefined;
  return {
    why: `no price is known for its model ${quote(model, 60)}`,
    hint: `Write into .coxswain/config.yaml: prices: { ${oneLine(model, 60)}: { input: 3, output: 15 } }`,
  };
}
