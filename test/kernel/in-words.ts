/** What a decision wants, in words for tests: `dispatch b`, `verify a`, `revert a`. */
import type { Decision } from "../../src/kernel/decide.ts";
import type { Effect } from "../../src/kernel/effect.ts";
import type { VerifyKey } from "../../src/kernel/event.ts";
import { unreachable } from "../../src/std/assert.ts";

export const dispatch = (task: string) => `dispatch ${task}`;
export const audit = (task: string) => `audit ${task}`;
export const finish = "finish";

export function inWords({ order, effects }: Decision): string[] {
  const wanted = effects.map(effectInWords);
  return order ? [orderInWords(order), ...wanted] : wanted;
}

function orderInWords(order: NonNullable<Decision["order"]>): string {
  switch (order.command) {
    case "dispatch":
      return order.role === "developer" ? dispatch(order.task) : audit(order.task);
    case "hold-for-budget":
      return `hold: ${order.detail}`;
    case "return-agent":
      return `return ${order.agent}`;
    case "hold-for-agent":
      return `ask for ${order.task}`;
    case "withdraw":
      return `withdraw ${order.question}`;
    case "finish":
      return finish;
    default:
      return unreachable(order);
  }
}

function effectInWords(effect: Effect): string {
  switch (effect.effect) {
    case "end-turn":
      return `end ${effect.turn}: ${effect.reason}`;
    case "verify":
      return `verify ${verifiedInWords(effect.work)}`;
    case "advance":
      return `advance ${effect.from} to ${effect.to}`;
    case "revert":
      return `revert ${effect.task} onto ${effect.onto}`;
    case "merge":
      return `merge ${effect.task} onto ${effect.onto}`;
    default:
      return `${effect.effect} ${effect.task}`;
  }
}

function verifiedInWords(work: VerifyKey): string {
  if (work.of === "run") return "the run";
  if (work.of === "base") return "the base";
  if (work.of === "rollback") return "the rollback";
  if (work.of === "landing") return `the landing on ${work.onto}`;
  return work.of === "merge" ? `${work.task} on ${work.onto}` : work.task;
}
