/** The result of one test turn of an agent. */
import type { TurnSpending } from "../../kernel/event.ts";
import { counted } from "../../std/counted.ts";
import { oneLine, quote } from "../../std/printable.ts";
import { costDocument, costOfTurn, namedCostText } from "../cost/cost.ts";
import type { Paint } from "../text/paint.ts";

export interface AgentTest {
  readonly agent: string;
  readonly driver: string;
  /** Its reply, in one line. */
  readonly reply: string;
  readonly session: string | undefined;
  readonly spent: TurnSpending;
  readonly failure:
    | { readonly code: string; readonly message: string; readonly resetsAt?: number }
    | undefined;
}

export function agentTestText(test: AgentTest, paint: Paint): string {
  const { agent, driver, reply, failure } = test;
  const who = `${paint("bold", oneLine(agent, 64))} (${oneLine(driver, 40)})`;
  if (failure) return `${paint("red", "✗")} ${who} ${failure.code}: ${oneLine(failure.message, 1000)}\n`;
  const seconds = (test.spent.ms / 1000).toFixed(1);
  const rest = usedWords(test).map((words) => `  ${paint("dim", words)}\n`);
  return `${paint("green", "✓")} ${who} replied in ${seconds} s: ${quote(reply, 200)}\n${rest.join("")}`;
}

function usedWords({ session, spent }: AgentTest): string[] {
  const { tokens, unpriced = [] } = spent;
  const used = [
    ...(tokens === undefined ? [] : [counted(tokens, "token")]),
    ...(tokens === undefined && spent.usd_micros === undefined ? [] : [namedCostText(costOfTurn(spent))]),
    ...unpriced.map((model) => `no price is known for ${oneLine(model, 80)}`),
  ];
  return [
    ...(session === undefined ? [] : [`session ${oneLine(session, 100)}`]),
    ...(used.length === 0 ? ["it does not report its usage: cost unknown"] : [used.join(", ")]),
  ];
}

export function agentTestDocument({ agent, driver, reply, session, spent, failure }: AgentTest) {
  return {
    ok: failure === undefined,
    agent,
    driver,
    reply,
    session: session ?? null,
    spent: { ...spent, ...costDocument(costOfTurn(spent)) },
    error: failure
      ? { code: failure.code, message: failure.message, resets_at: failure.resetsAt ?? null }
      : null,
  };
}
