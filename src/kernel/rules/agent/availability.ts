/**
 * Whether each agent is available, resting for a while, or out until a person decides. This belongs to the agent,
 * whatever task it failed at, so that the next ten turns do not meet a limit that one turn has met. A rate limit
 * belongs to its account: `account.ts`.
 *
 * A rest ends when that is recorded, not when a clock says so: until then nobody may send the agent.
 */

import type { Admitted, Order, TurnEnded } from "../../command.ts";
import type { Event, Events } from "../../event.ts";
import type { AgentAvailability, MutableState, State } from "../../state.ts";
import {
  accountOf,
  atOnceAfterLimit,
  isAccountResting,
  onAccountForgiven,
  onAccountRested,
  onAccountReturned,
  onAccountSession,
  onSuccess,
} from "./account.ts";
import { consequenceOf } from "./consequence.ts";

type Crashed = Extract<TurnEnded, { how: "crashed" }>;

/** After this many rests in a row without a reply, the problem is no longer temporary. */
const restsMax = 8;
/** A reported limit is trusted up to this long; then we try again, which costs nothing. */
const restMsMax = 24 * 3_600_000;

/** The events about the agent that follow from its failed turn. */
export function availabilityAfter(
  state: State,
  agent: string,
  { code, message, resetsInMs }: Pick<Crashed, "code" | "message" | "resetsInMs">,
): Event[] {
  const availability = state.availability.get(agent);
  const { agent: then, holdsAccount } = consequenceOf(code);
  if (then === undefined || availability?.out) return [];
  if (then === "is out") return [{ event: "agent_ruled_out", data: { agent, code, message } }];
  const account = holdsAccount ? accountOf(state, agent) : undefined;
  const held = account === undefined ? availability : state.accounts.get(account);
  // Turns that were under way when the limit was first met say nothing new, unless they report a later end.
  if (held?.rest) {
    const isLater = resetsInMs !== undefined && state.time + resetsInMs > held.rest.until;
    return isLater ? [rested({ agent, code, ms: resetsInMs, account })] : [];
  }
  const rests = held?.rests ?? 0;
  if (rests >= restsMax) {
    const often = `it failed after each of ${rests} rests; the last time: ${message}`;
    return [{ event: "agent_ruled_out", data: { agent, code, message: often } }];
  }
  const paced = Math.min(then.restsMs.most, then.restsMs.first * 2 ** rests);
  // The first report of when a limit ends is trusted. After it was wrong once, we wait at least our own delay.
  const isTrusted = resetsInMs !== undefined && rests === 0;
  const ms = Math.max(resetsInMs ?? 0, isTrusted ? 0 : paced);
  if (account === undefined) return [rested({ agent, code, ms, account })];
  return [rested({ agent, code, ms, account, atOnce: atOnceAfterLimit(state, account) })];
}

interface RestFacts {
  readonly agent: string;
  readonly code: string;
  readonly ms: number;
  readonly account: string | undefined;
  readonly atOnce?: number;
}

function rested({ agent, code, ms, account, atOnce }: RestFacts): Event {
  const for_ms = Math.max(1, Math.min(restMsMax, Math.ceil(ms)));
  const shared = account === undefined ? {} : { account, ...(atOnce !== undefined && { at_once: atOnce }) };
  return { event: "agent_rested", data: { agent, code, for_ms, ...shared } };
}

export function isOut(state: State, agent: string): boolean {
  return state.availability.get(agent)?.out !== undefined;
}

export function isResting(state: State, agent: string): boolean {
  return state.availability.get(agent)?.rest !== undefined || isAccountResting(state, agent);
}

/**
 * An occasional server failure is worth waiting a few seconds for: the agent at work keeps its conversation that way.
 */
export function isBackSoon({ rest, rests }: Readonly<AgentAvailability>): boolean {
  return rest?.code === "AGENT_API" && rests <= 2;
}

/** Run time at which the first agent or account returns. */
export function nextReturn({ availability, accounts }: State): number | undefined {
  const ends = [...availability.values(), ...accounts.values()].flatMap(({ rest }) => rest?.until ?? []);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** An agent, or an account, whose rest is over. */
export function whoseRestIsOver(
  { availability, accounts }: State,
  now: number,
): { readonly agent: string; readonly account?: string } | undefined {
  for (const { agent, rest } of availability.values()) if (rest && rest.until <= now) return { agent };
  for (const { account, rest } of accounts.values())
    if (rest && rest.until <= now) return { agent: rest.agent, account };
  return undefined;
}

export function admitReturn(
  state: State,
  { agent, account }: Extract<Order, { command: "return-agent" }>,
): Admitted {
  const rests = account === undefined ? state.availability.get(agent) : state.accounts.get(account);
  if (!rests?.rest) return { refused: "stale", key: `return:${agent}` };
  return [{ event: "agent_returned", data: { agent, ...(account !== undefined && { account }) } }];
}

/** Brings back those agents that are out, because a person decided so. */
export function broughtBack(state: State, agents: readonly string[]): Event[] {
  return agents
    .filter((agent) => isOut(state, agent))
    .map((agent) => ({ event: "agent_returned", data: { agent } }) as const);
}

export function onRested(state: MutableState, data: Events["agent_rested"]): void {
  const { agent, code, for_ms, account } = data;
  if (account !== undefined) {
    onAccountRested(state, account, data);
    return;
  }
  const availability = ofState(state, agent);
  if (!availability.rest) availability.rests += 1;
  availability.rest = { code, until: Math.max(availability.rest?.until ?? 0, state.time + for_ms) };
}

export function onRuledOut(state: MutableState, { agent, code, message }: Events["agent_ruled_out"]): void {
  const availability = ofState(state, agent);
  availability.rest = undefined;
  availability.out = { code, message };
}

/** An agent that was out starts afresh. One that rested must reply before its failures are forgotten. */
export function onReturned(state: MutableState, { agent, account }: Events["agent_returned"]): void {
  if (account !== undefined) {
    onAccountReturned(state, account);
    return;
  }
  const availability = ofState(state, agent);
  if (!availability.out) availability.rest = undefined;
  else {
    state.availability.delete(agent);
    onAccountForgiven(state, agent);
  }
}

/** The agent replied. If another of its turns met a limit meanwhile, that rest continues. */
export function onReplied(state: MutableState, agent: string): void {
  onSuccess(state, agent);
  const availability = state.availability.get(agent);
  if (!availability) return;
  if (availability.rest || availability.out) availability.rests = 0;
  else state.availability.delete(agent);
}

/** Between sessions somebody may have signed in, or hours may have passed. */
export function onSessionForAgents(state: MutableState): void {
  state.availability.clear();
  onAccountSession(state);
}

function ofState(state: MutableState, agent: string): AgentAvailability {
  const availability = state.availability.get(agent) ?? { agent, rest: undefined, out: undefined, rests: 0 };
  state.availability.set(agent, availability);
  return availability;
}
