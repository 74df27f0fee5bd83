/**
 * How each agent stands: there, resting for a while, or out until a person decides. It is the agent's own, whatever task
 * it failed at, so that a limit which one turn met is not met by the next ten as well.
 *
 * A rest is over when that is recorded, not when a clock says so: until then nobody may send it, whoever asks and when.
 */
import type { Admitted, Order, TurnEnded } from "./command.ts";
import { consequenceOf } from "./consequence.ts";
import type { Event, Events } from "./event.ts";
import type { OwnState, Standing, State } from "./state.ts";

type Crashed = Extract<TurnEnded, { how: "crashed" }>;

/** So many rests in a row without a reply are no passing matter. */
const restsMax = 8;
/** What is told of a limit is believed so far; then it is asked again, which costs nothing. */
const restMsMax = 24 * 3_600_000;

/** What a failed turn says of its agent. */
export function standingAfter(
  state: State,
  agent: string,
  { code, message, resetsInMs }: Pick<Crashed, "code" | "message" | "resetsInMs">,
): Event[] {
  const standing = state.standings.get(agent);
  const { agent: then } = consequenceOf(code);
  if (then === undefined || standing?.out) return [];
  if (then === "is out") return [{ event: "agent_ruled_out", data: { agent, code, message } }];
  // Turns that were under way when the first of them met the limit say nothing new, but for a later end of it.
  if (standing?.rest) {
    const isLater = resetsInMs !== undefined && state.time + resetsInMs > standing.rest.until;
    return isLater ? [rested(agent, code, resetsInMs)] : [];
  }
  const rests = standing?.rests ?? 0;
  if (rests >= restsMax) {
    const often = `it failed after each of ${rests} rests; the last time: ${message}`;
    return [{ event: "agent_ruled_out", data: { agent, code, message: often } }];
  }
  const paced = Math.min(then.restsMs.most, then.restsMs.first * 2 ** rests);
  // The first word on when a limit ends is believed; one that was wrong is not believed alone.
  const isTrusted = resetsInMs !== undefined && rests === 0;
  return [rested(agent, code, Math.max(resetsInMs ?? 0, isTrusted ? 0 : paced))];
}

function rested(agent: string, code: string, ms: number): Event {
  const for_ms = Math.max(1, Math.min(restMsMax, Math.ceil(ms)));
  return { event: "agent_rested", data: { agent, code, for_ms } };
}

export function isOut(state: State, agent: string): boolean {
  return state.standings.get(agent)?.out !== undefined;
}

export function isResting(state: State, agent: string): boolean {
  return state.standings.get(agent)?.rest !== undefined;
}

/** A server that fails now and then is worth some seconds; whoever is at work keeps its conversation by that. */
export function isBackSoon({ rest, rests }: Readonly<Standing>): boolean {
  return rest?.code === "AGENT_API" && rests <= 2;
}

/** Run time at which the first one comes back. */
export function nextReturn({ standings }: State): number | undefined {
  const ends = [...standings.values()].flatMap(({ rest }) => rest?.until ?? []);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** One whose rest is over. */
export function whoseRestIsOver(state: State, now: number): string | undefined {
  return [...state.standings.values()].find(({ rest }) => rest && rest.until <= now)?.agent;
}

export function admitReturn(state: State, { agent }: Extract<Order, { command: "return-agent" }>): Admitted {
  if (!isResting(state, agent)) return { refused: "stale", key: `return:${agent}` };
  return [{ event: "agent_returned", data: { agent } }];
}

/** By a person's word: those of them who are out. */
export function broughtBack(state: State, agents: readonly string[]): Event[] {
  return agents
    .filter((agent) => isOut(state, agent))
    .map((agent) => ({ event: "agent_returned", data: { agent } }) as const);
}

export function onRested(state: OwnState, { agent, code, for_ms }: Events["agent_rested"]): void {
  const standing = ofState(state, agent);
  if (!standing.rest) standing.rests += 1;
  standing.rest = { code, until: Math.max(standing.rest?.until ?? 0, state.time + for_ms) };
}

export function onRuledOut(state: OwnState, { agent, code, message }: Events["agent_ruled_out"]): void {
  const standing = ofState(state, agent);
  standing.rest = undefined;
  standing.out = { code, message };
}

/** Whoever was out begins anew; whoever rested must reply before it counts as well again. */
export function onReturned(state: OwnState, { agent }: Events["agent_returned"]): void {
  const standing = ofState(state, agent);
  if (standing.out) state.standings.delete(agent);
  else standing.rest = undefined;
}

/** It replied. A limit that another turn of it met meanwhile is still waited for. */
export function onReplied(state: OwnState, agent: string): void {
  const standing = state.standings.get(agent);
  if (!standing) return;
  if (standing.rest || standing.out) standing.rests = 0;
  else state.standings.delete(agent);
}

/** Somebody may have signed in, or hours have passed. */
export function onSession(state: OwnState): void {
  state.standings.clear();
}

function ofState({ standings }: OwnState, agent: string): Standing {
  const standing = standings.get(agent) ?? { agent, rest: undefined, out: undefined, rests: 0 };
  standings.set(agent, standing);
  return standing;
}
