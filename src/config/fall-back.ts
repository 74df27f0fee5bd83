/**
 * Who takes over when the one who was chosen is away. The lists below `roles:` are orders of preference: whoever stands in
 * one is followed by those behind. A name that stands in none means that agent alone.
 */
import { agentKind } from "./agent-kind.ts";
import type { Config } from "./config.ts";
import type { Assignment, CrewAgent } from "./crew.ts";
import { isAuditorRole } from "./crew-agents.ts";

export interface Crewing {
  readonly agents: ReadonlyMap<string, CrewAgent>;
  readonly config: Config;
  /** Those that something is wrong with: they take over from nobody. */
  readonly broken: ReadonlySet<string>;
}

export class FallBack {
  readonly #crewing: Crewing;
  readonly #doers: readonly (readonly string[])[];
  readonly #auditors: readonly (readonly string[])[];
  /** Auditors that no list names. */
  readonly #others: readonly string[];
  readonly #kinds: ReadonlyMap<string, string>;
  /** Many tasks have one crew: each is thought out once. */
  readonly #judges = new Map<string, readonly string[]>();
  readonly #known = new Map<string, Assignment>();

  constructor(crewing: Crewing) {
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

  /** Who may judge this author's work where nobody says who does: of another kind than the author first. */
  auditorsFor(author: string): readonly string[] {
    const known = this.#judges.get(author) ?? this.#auditorsFor(author);
    this.#judges.set(author, known);
    return known;
  }

  /** With those who follow. */
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
    // Whoever takes over must leave somebody to judge it; an author judges only what another one wrote.
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

  /** The author itself, where it judges the work of others. */
  #own(author: string): string[] {
    return this.#pool(author).filter((name) => name === author);
  }

  /** The first one was chosen, and what is wrong with it is told elsewhere. */
  #usable([first, ...names]: readonly [string, ...string[]]): string[] {
    return [...new Set([first, ...names.filter((name) => !this.#crewing.broken.has(name))])];
  }
}

interface Chosen {
  readonly agent: string;
  readonly auditor?: string | undefined;
  /** It was, and did not only come first. */
  readonly isAuditorNamed: boolean;
}

/** What is behind the name in the first of the lists that has it. */
function behind(lists: readonly (readonly string[])[], name: string): readonly string[] {
  const list = lists.find((one) => one.includes(name)) ?? [];
  return list.slice(list.indexOf(name) + 1);
}
