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

  /** Everybody who may judge this author's work where nobody says who does: of another kind than the author first. */
  auditorsFor(author: string): readonly string[] {
    const named = [...new Set(this.#auditors.flat())].filter((name) => name !== author);
    const pool = named.length > 0 ? named : this.#others.filter((name) => name !== author);
    const isPreferred = (name: string) =>
      !this.#crewing.broken.has(name) && this.#kinds.get(name) !== this.#kinds.get(author);
    return [...pool.filter(isPreferred), ...pool.filter((name) => !isPreferred(name))];
  }

  /** With those who follow. `isNamed`: the auditor was, and did not only come first. */
  whole({
    agent,
    auditor,
    isNamed,
  }: {
    agent: string;
    auditor?: string | undefined;
    isNamed: boolean;
  }): Assignment {
    const auditors =
      auditor === undefined
        ? []
        : this.#usable(isNamed ? behind(this.#auditors, auditor) : this.auditorsFor(agent), auditor);
    // Whoever takes over must leave somebody to judge it.
    const agents = this.#usable(behind(this.#doers, agent), agent).filter(
      (name) => name === agent || auditor === undefined || auditors.some((one) => one !== name),
    );
    return {
      agent,
      ...(auditor === undefined ? {} : { auditor }),
      ...(agents.length > 1 ? { agents } : {}),
      ...(auditors.length > 1 ? { auditors } : {}),
    };
  }

  #usable(names: readonly string[], first: string): string[] {
    return [...new Set([first, ...names])].filter(
      (name) => name === first || !this.#crewing.broken.has(name),
    );
  }
}

/** What is behind the name in the first of the lists that has it. */
function behind(lists: readonly (readonly string[])[], name: string): readonly string[] {
  const list = lists.find((one) => one.includes(name)) ?? [];
  return list.slice(list.indexOf(name) + 1);
}
