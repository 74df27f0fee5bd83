/**
 * Decides who takes over when the chosen agent is away. The lists below `roles:` are in order of preference: each agent
 * is followed by those after it. Naming an agent that is in no list means that agent alone.
 */

import type { Config } from "../file/config.ts";
import type { Assignment, CrewAgent } from "./crew.ts";
import { agentKind } from "./crew.ts";
import { isAuditorRole } from "./crew-agents.ts";

export interface CrewContext {
  readonly agents: ReadonlyMap<string, CrewAgent>;
  readonly config: Config;
  /** Agents with problems; they take over from nobody. */
  readonly broken: ReadonlySet<string>;
}

export class FallBack {
  readonly #crewing: CrewContext;
  readonly #doers: readonly (readonly string[])[];
  readonly #auditors: readonly (readonly string[])[];
  /** Auditors that no list names. */
  readonly #others: readonly string[];
  readonly #kinds: ReadonlyMap<string, string>;
  /** Many tasks share one crew, so each result is computed once. */
  readonly #judges = new Map<string, readonly string[]>();
  readonly #known = new Map<string, Assignment>();

  constructor(crewing: CrewContext) {
    const { agents, config } = crewing;
    this.#crewing = crewing;
    const lists = [...config.roles].map(([role, players]) => ({
      role,
      names: players.map(({ agent }) => agent),
    }));
    const of = (isAuditor: boolean) =>
      lists
        .filter(({ role }) => isAuditorRole(role) === isAuditor)
        .map(({ names }) => names.filter((name) => agents.has(name)));
    this.#doers = of(false);
    this.#auditors = of(true);
    const named = new Set(this.#auditors.flat());
    this.#others = [...agents.values()].flatMap(({ name, role }) =>
      isAuditorRole(role) && !named.has(name) ? [name] : [],
    );
    this.#kinds = new Map([...agents.values()].map((agent) => [agent.name, agentKind(agent)]));
  }

  /** Who may judge this author's work if nobody is named: agents of another kind than the author come first. */
  auditorsFor(author: string): readonly string[] {
    const known = this.#judges.get(author) ?? this.#auditorsFor(author);
    this.#judges.set(author, known);
    return known;
  }

  /** The assignment with its fallback orders. */
  whole(chosen: Chosen): Assignment {
    const key = JSON.stringify([chosen.agent, chosen.auditor, chosen.isAuditorNamed]);
    const known = this.#known.get(key) ?? this.#whole(chosen);
    this.#known.set(key, known);
    return known;
  }

  #auditorsFor(author: string): readonly string[] {
    const pool = this.#pool(author).filter((name) => name !== author);
    const isPreferred = (name: string) =>
      !this.#crewing.broken.has(name) && this.#kinds.get(name) !== this.#kinds.get(author);
    return [...pool.filter(isPreferred), ...pool.filter((name) => !isPreferred(name))];
  }

  #whole({ agent, auditor, isAuditorNamed }: Chosen): Assignment {
    const doers = this.#usable([agent, ...behind(this.#doers, agent)]);
    if (auditor === undefined) return { agent, ...(doers.length > 1 ? { agents: doers } : {}) };
    const judges = this.#usable([
      auditor,
      ...(isAuditorNamed
        ? behind(this.#auditors, auditor)
        : [...this.auditorsFor(agent), ...this.#own(agent)]),
    ]);
    // A stand-in must leave somebody to judge it. An author judges only what another agent wrote.
    const agents = doers.filter((name) => name === agent || judges.some((judge) => judge !== name));
    const auditors = agents.length > 1 ? judges : judges.filter((name) => name !== agent);
    return {
      agent,
      auditor,
      ...(agents.length > 1 ? { agents } : {}),
      ...(auditors.length > 1 ? { auditors } : {}),
    };
  }

  #pool(author: string): readonly string[] {
    const named = [...new Set(this.#auditors.flat())];
    return named.some((name) => name !== author) ? named : this.#others;
  }

  /** The author itself, if it may judge the work of others. */
  #own(author: string): string[] {
    return this.#pool(author).filter((name) => name === author);
  }

  /** The first one was chosen; its problems are reported elsewhere. */
  #usable([first, ...names]: readonly [string, ...string[]]): string[] {
    return [...new Set([first, ...names.filter((name) => !this.#crewing.broken.has(name))])];
  }
}

interface Chosen {
  readonly agent: string;
  readonly auditor?: string | undefined;
  /** Named explicitly, not just first in the list. */
  readonly isAuditorNamed: boolean;
}

/** The names after this one, in the first list that has it. */
function behind(lists: readonly (readonly string[])[], name: string): readonly string[] {
  const list = lists.find((one) => one.includes(name)) ?? [];
  return list.slice(list.indexOf(name) + 1);
}
