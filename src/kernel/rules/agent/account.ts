/**
 * Accounts: agents with the same driver and credentials share one allowance, so a rate limit that one of them meets
 * applies to all. They rest together, and afterwards fewer of them work at once: half as many as when the limit was
 * met, plus one more after every three replies, until only the slots limit them.
 *
 * Unlike an agent's own rest, an account's rest outlives the process: a process that was merely restarted would meet
 * the same limit.
 */
import type { DeepReadonly } from "../../../std/deep-readonly.ts";
import type { Events } from "../../event.ts";
import type { LimitedAccount, MutableState, State } from "../../state.ts";

/** If the log does not know the agent's account, the agent counts as its own account. */
export function accountOf({ run }: Pick<State, "run">, agent: string): string {
  return run?.agents?.find(({ name }) => name === agent)?.account ?? agent;
}

/** The run's agents that are known to use the account. */
export function agentsOf(state: Pick<State, "run">, account: string): readonly string[] {
  return (state.run?.agents ?? []).flatMap(({ name }) => (accountOf(state, name) === account ? [name] : []));
}

export function limitedAccountOf(state: State, agent: string): DeepReadonly<LimitedAccount> | undefined {
  return state.accounts.size === 0 ? undefined : state.accounts.get(accountOf(state, agent));
}

export function isAccountResting(state: State, agent: string): boolean {
  return limitedAccountOf(state, agent)?.rest !== undefined;
}

/** How many turns of the account's agents are under way. */
export function inFlight(state: State, account: string): number {
  let count = 0;
  for (const { agent } of state.turns.values()) if (accountOf(state, agent) === account) count += 1;
  return count;
}

/** Whether the account allows the agent one more turn. */
export function hasRoom(state: State, agent: string): boolean {
  const limited = limitedAccountOf(state, agent);
  return limited?.atOnce === undefined || inFlight(state, limited.account) < limited.atOnce;
}

/** How many may work at once after a limit. The turn that met it still counts as under way. */
export function atOnceAfterLimit(state: State, account: string): number {
  const before = state.accounts.get(account)?.atOnce ?? Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(before, Math.floor(inFlight(state, account) / 2)));
}

/** If the account already rests, a later end replaces the earlier one, and the number of rests stays the same. */
export function onAccountRested(state: MutableState, account: string, data: Events["agent_rested"]): void {
  const { agent, code, for_ms, at_once } = data;
  const limited = ofState(state, account);
  const { rest } = limited;
  if (!rest) limited.rests += 1;
  limited.rest = {
    agent,
    code,
    until: Math.max(rest?.until ?? 0, state.time + for_ms),
    untilAt: Math.max(rest?.untilAt ?? 0, state.at + for_ms),
  };
  if (at_once !== undefined) limit(state, limited, at_once);
}

export function onAccountReturned(state: MutableState, account: string): void {
  ofState(state, account).rest = undefined;
}

/** A person brought back an agent of the account, so earlier failures no longer count. */
export function onAccountForgiven(state: MutableState, agent: string): void {
  const limited = state.accounts.get(accountOf(state, agent));
  if (limited) limited.rests = 0;
}

const successesToGrow = 3;

/**
 * While the account rests, a reply only resets the count of rests: its turn began before the limit was met, so it does
 * not show what the account can take now.
 */
export function onSuccess(state: MutableState, agent: string): void {
  const limited = state.accounts.get(accountOf(state, agent));
  if (!limited) return;
  limited.rests = 0;
  if (limited.rest) return;
  if (limited.atOnce === undefined) {
    state.accounts.delete(limited.account);
    return;
  }
  limited.successes += 1;
  if (limited.successes >= successesToGrow) limit(state, limited, limited.atOnce + 1);
}

/** Run time stood still since the last process ended, but by wall time part of the rest may be over. */
export function onAccountSession(state: MutableState): void {
  for (const limited of state.accounts.values()) {
    const { rest } = limited;
    if (rest) rest.until = Math.min(rest.until, state.time + Math.max(0, rest.untilAt - state.at));
    else limited.rests = 0;
  }
}

function limit({ run }: MutableState, limited: LimitedAccount, atOnce: number): void {
  const slots = run?.settings.active_developers ?? 0;
  limited.atOnce = atOnce < slots ? atOnce : undefined;
  limited.successes = 0;
}

function ofState({ accounts }: MutableState, account: string): LimitedAccount {
  const limited = accounts.get(account) ?? {
    account,
    rest: undefined,
    rests: 0,
    atOnce: undefined,
    successes: 0,
  };
  accounts.set(account, limited);
  return limited;
}
