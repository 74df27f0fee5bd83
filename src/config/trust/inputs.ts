/**
 * The inputs that a run is bound to, each as a digest: the plan, the effective configuration with all instructions for
 * agents, and the commit it starts from. The configuration document is stored with the run, so later changes, at a desk
 * or in the repository, are never read as configuration.
 */
import { canonicalJson, type Json } from "../../std/canonical-json.ts";
import { sha256 } from "../../world/files/hash.ts";
import type { Crew, CrewAgent } from "../crew/crew.ts";
import type { Profiles } from "../crew/profiles.ts";
import { type EffectiveSettings, settingsOf } from "../settings/effective-settings.ts";

export interface Inputs {
  readonly documents: {
    readonly plan: string;
    /** Canonical JSON: settings, agents with their instructions, the contract, and the digest of the attachments. */
    readonly config: string;
    /** Canonical JSON: where each setting came from. It needs no approval, because it does not affect the run. */
    readonly origins: string;
    /** The attachments of the tasks; missing if there are none. */
    readonly attachments?: string;
    /** The profile files that the instructions come from, by path. */
    readonly profiles: readonly { readonly path: string; readonly text: string; readonly digest: string }[];
  };
  readonly digests: { readonly plan: string; readonly config: string; readonly profiles: string };
  /** What a person approves. */
  readonly approval: Approval;
}

export interface Approval {
  readonly plan: string;
  readonly config: string;
  /** The commit that the run starts from. */
  readonly base: string;
}

export interface InputSources {
  readonly planText: string;
  readonly settings: EffectiveSettings;
  readonly crew: Crew;
  readonly profiles: Profiles;
  readonly base: string;
  /** The attachments as text; missing if there are none. */
  readonly attached?: string | undefined;
}

export function snapshotInputs(sources: InputSources): Inputs {
  const { planText, settings, crew, profiles, base, attached } = sources;
  const agents = [...crew.agents.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  const files = profileFiles(agents, profiles);
  const config = canonicalJson({
    version: 1,
    settings: asJson(settingsOf(settings)),
    agents: agents.map((agent) => asJson(agent)),
    contract: profiles.contract.text,
    ...(attached === undefined ? {} : { enclosures: sha256(attached) }),
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
      ...(attached === undefined ? {} : { attachments: attached }),
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

/** Interfaces of plain data are JSON, though their type cannot express it. */
function asJson(value: object): Json {
  return value as Json;
}
