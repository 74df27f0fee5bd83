/** Agents that are away, in words: why, and for how long or until what. */
import type { Moment } from "../../kernel/moment.ts";
import { agentsOf, inFlight, limitedAccountOf } from "../../kernel/rules/agent/account.ts";
import type { State } from "../../kernel/state.ts";
import { oneLine } from "../../std/printable.ts";
import { duration } from "../text/duration.ts";

export interface AwayAgent {
  readonly agent: string;
  readonly standing: "resting" | "out";
  readonly code: string;
  /** The account, if it rests together with others. */
  readonly account: string | null;
  /** Only for a rest. */
  readonly left_ms: number | null;
  /** The error it failed with; null for a rest, which the log explains. */
  readonly message: string | null;
}

/** When an account rests, so do all its agents. */
export function awayAgents(state: State, { time }: Moment): AwayAgent[] {
  const names = new Set([
    ...state.availability.keys(),
    ...[...state.accounts.values()].flatMap(({ account, rest }) =>
      rest ? [rest.agent, ...agentsOf(state, account)] : [],
    ),
  ]);
  return [...names].flatMap((agent) => awayAgent(state, agent, time));
}

/** Empty if the agent can be dispatched. */
export function awayAgent(state: State, agent: string, time: number): AwayAgent[] {
  const { out, rest } = state.availability.get(agent) ?? {};
  if (out)
    return [{ agent, standing: "out", code: out.code, account: null, left_ms: null, message: out.message }];
  const held = limitedAccountOf(state, agent);
  const longest = held?.rest ?? rest;
  if (!longest) return [];
  const left_ms = Math.max(0, Math.round(longest.until - time));
  const account = held?.rest && agentsOf(state, held.account).length > 1 ? held.account : null;
  return [{ agent, standing: "resting", code: longest.code, account, left_ms, message: null }];
}

/**
 * "writer rests for another 4m10s (rate limit)", "writer is out: not signed in". Each resting account is listed once:
 * "held: account claude-code rests for another 4m10s (rate limit)".
 */
export function awayWords(away: readonly AwayAgent[]): string[] {
  return [...new Set(away.map(wordsOf))];
}

function wordsOf({ agent, code, account, left_ms }: AwayAgent): string {
  const who = account === null ? oneLine(agent, 40) : `held: account ${oneLine(account, 60)}`;
  if (left_ms === null) return `${who} is out: ${codeWords(code)}`;
  return left_ms === 0
    ? `${who} is back from its rest (${codeWords(code)})`
    : `${who} rests for another ${duration(left_ms)} (${codeWords(code)})`;
}

/** An account that allows fewer agents at once than there are slots. */
export interface LimitedAccountRow {
  readonly account: string;
  readonly at_once: number;
  readonly slots: number;
  readonly in_flight: number;
}

export function limitedAccounts(state: State): LimitedAccountRow[] {
  return [...state.accounts.values()].flatMap(({ account, atOnce }) =>
    atOnce === undefined
      ? []
      : [
          {
            account,
            at_once: atOnce,
            slots: state.run?.settings.active_developers ?? 0,
            in_flight: inFlight(state, account),
          },
        ],
  );
}

/** "account claude-code at 2 of 4 after a rate limit". */
export function limitedAccountWords({ account, at_once, slots }: LimitedAccountRow): string {
  return `account ${oneLine(account, 60)} at ${at_once} of ${slots} after a rate limit`;
}

export function codeWords(code: string): string {
  return words.get(code) ?? oneLine(code, 60);
}

const words: ReadonlyMap<string, string> = new Map([
  ["AGENT_RATE_LIMIT", "rate limit"],
  ["AGENT_API", "its model's server fails"],
  ["AGENT_NOT_INSTALLED", "not installed"],
  ["AGENT_NOT_SIGNED_IN", "not signed in"],
]);
