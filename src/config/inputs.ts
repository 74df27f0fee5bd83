/**
 * What a run is bound to: the plan, the effective configuration with everything that agents are told, and the commit
 * it begins at, each as a digest. The configuration's document is kept with the run, so that nothing that changes
 * afterwards, at a desk or in the repository, is ever read as configuration.
 */
import { canonicalJson, type Json } from "../std/canonical-json.ts";
import { sha256 } from "../world/hash.ts";
import type { Crew, CrewAgent } from "./crew.ts";
import { type EffectiveSettings, settingsOf } from "./effective-settings.ts";
import type { Profiles } from "./profiles.ts";

export interface Inputs {
  readonly documents: {
    readonly plan: string;
    /** Canonical JSON: settings, agents with their instructions, the contract, and the digest of what goes with tasks. */
    readonly config: string;
    /** Canonical JSON: who said each setting. Nobody approves it: it changes nothing that the run does. */
    readonly origins: string;
    /** The workflows and documents that go with tasks; nothing where there are none. */
    readonly enclosures?: string;
    /** The files behind the instructions, by path. */
    readonly profiles: readonly { readonly path: string; readonly text: string; readonly digest: string }[];
  };
  readonly digests: { readonly plan: string; readonly config: string; readonly profiles: string };
  /** What somebody who approves says yes to. */
  readonly approval: Approval;
}

export interface Approval {
  readonly plan: string;
  readonly config: string;
  /** The commit that the run begins at. */
  readonly base: string;
}

export interface InputSources {
  readonly planText: string;
  readonly settings: EffectiveSettings;
  readonly crew: Crew;
  readonly profiles: Profiles;
  readonly base: string;
  /** What goes with tasks, as text: nothing where nothing does. */
  readonly enclosed?: string | undefined;
}

export function snapshotInputs(sources: InputSources): Inputs {
  const { planText, settings, crew, profiles, base, enclosed } = sources;
  const agents = [...crew.agents.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  const files = profileFiles(agents, profiles);
  const config = canonicalJson({
    version: 1,
    settings: asJson(settingsOf(settings)),
    agents: agents.map((agent) => asJson(agent)),
    contract: profiles.contract.text,
    ...(enclosed === undefined ? {} : { enclosures: sha256(enclosed) }),
  });
  const digests = {
    plan: sha256(planText),
    config: sha256(config),
    profiles: sha256(canonicalJson(files.map(({ path, digest }) => ({ path, digest })))),
  };
  return {
    documents: {
      plan: planText,
      config,
      origins: originsOf(settings),
      profiles: files,
      ...(enclosed === undefined ? {} : { enclosures: enclosed }),
    },
    digests,
    approval: { plan: digests.plan, config: digests.config, base },
  };
}

function originsOf(settings: EffectiveSettings): string {
  return canonicalJson(
    Object.fromEntries(Object.entries(settings).map(([name, { origin }]) => [name, origin])),
  );
}

function profileFiles(agents: readonly CrewAgent[], { byName, contract }: Profiles) {
  const used = new Set(agents.map(({ profile }) => profile));
  const files = [...byName.values()].filter(({ path }) => used.has(path));
  return [...files, contract]
    .map(({ path, text }) => ({ path, text, digest: sha256(text) }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Interfaces of plain data are JSON, though their type cannot say so. */
function asJson(value: object): Json {
  return value as Json;
}
