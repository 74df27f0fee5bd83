/**
 * The inputs a run was started with, as stored in its folder. Each read checks them against the digests in the log. No
 * other file, at a desk or in the repository, is ever read as configuration.
 */
import type { CrewAgent } from "../../config/crew/crew.ts";
import type { State } from "../../kernel/state.ts";
import type { Plan, Settings, TaskId } from "../../plan/plan.ts";
import { parsePlan } from "../../plan/read/parse.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import type { PromptAttachments } from "../../view/prompt/attachment-sections.ts";
import { sha256 } from "../../world/files/hash.ts";
import { readAttachments } from "../start/attachments.ts";
import type { RunFolder } from "./run-folder.ts";

const planName = "plan.md";
const configName = "config.json";
const originsName = "origins.json";
const attachmentsName = "enclosures.json";

export interface RunInputs {
  readonly plan: Plan;
  readonly contract: string;
  readonly agents: ReadonlyMap<string, CrewAgent>;
  /** The attachments of each task that has any. */
  readonly attached: ReadonlyMap<TaskId, PromptAttachments>;
}

export async function keepInputs(
  folder: RunFolder,
  documents: { plan: string; config: string; origins: string; attachments?: string },
): Promise<void> {
  await folder.keep(planName, encodeUtf8(documents.plan));
  await folder.keep(configName, encodeUtf8(documents.config));
  await folder.keep(originsName, encodeUtf8(documents.origins));
  if (documents.attachments !== undefined)
    await folder.keep(attachmentsName, encodeUtf8(documents.attachments));
}

export function readInputs(folder: RunFolder, state: State): RunInputs {
  const planText = readAs(folder, planName, { code: "PLAN_CHANGED", digest: state.run?.plan_sha256 });
  const config = readAs(folder, configName, { code: "CONFIG_CHANGED", digest: state.run?.config_sha256 });
  const { agents, contract, enclosures } = JSON.parse(config) as KeptConfig;
  const { plan } = parsePlan(planText);
  return {
    // The title may come from the command line.
    plan: { ...plan, title: state.run?.title ?? plan.title },
    contract,
    agents: new Map(agents.map((agent) => [agent.name, agent])),
    attached:
      enclosures === undefined ? new Map() : readAttachments(readStoredAttachments(folder, enclosures)),
  };
}

interface KeptConfig {
  readonly agents: readonly CrewAgent[];
  readonly contract: string;
  /** The digest of the attachments. Missing if no task has any, and in runs of the first versions. */
  readonly enclosures?: string;
}

function readStoredAttachments(folder: RunFolder, digest: string): string {
  return readAs(folder, attachmentsName, { code: "ENCLOSURES_CHANGED", digest });
}

export interface KeptSettings {
  readonly settings: Settings;
  /** Where each setting came from, by its name; missing if that is no longer known. */
  readonly origins: Readonly<Record<string, string>>;
}

export function readRunSettings(folder: RunFolder, state: State): KeptSettings {
  const config = readAs(folder, configName, { code: "CONFIG_CHANGED", digest: state.run?.config_sha256 });
  const { settings } = JSON.parse(config) as { settings: Settings };
  return { settings, origins: readOrigins(folder.read(originsName)) };
}

/** The settings in a stored configuration that were typed on the command line that started the run. */
export function keptTypedSettings(folder: RunFolder, config: string): Settings {
  const { settings } = JSON.parse(config) as { settings: Settings };
  const origins = readOrigins(folder.read(originsName));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => origins[name] === "command line"));
}

/** No digest covers this file and nothing depends on it: if it is damaged, only the origins are unknown. */
function readOrigins(bytes: Uint8Array | undefined): KeptSettings["origins"] {
  try {
    const found: unknown = bytes && JSON.parse(decodeUtf8(bytes));
    if (typeof found !== "object" || found === null) return {};
    return Object.fromEntries(
      Object.entries(found).flatMap(([name, origin]) => (typeof origin === "string" ? [[name, origin]] : [])),
    );
  } catch {
    return {};
  }
}

function readAs(
  folder: RunFolder,
  name: string,
  expected: { code: string; digest: string | undefined },
): string {
  const bytes = folder.read(name);
  if (bytes && sha256(bytes) === expected.digest) return decodeUtf8(bytes);
  throw new InputsChanged(expected.code, `${folder.path}/${name}`, bytes !== undefined);
}

class InputsChanged extends Error {
  override name = "InputsChanged";
  readonly hint =
    "A run continues with exactly what was approved. Restore the file, or start a new run with the changed plan: cox run PLAN.md";

  constructor(
    readonly code: string,
    path: string,
    isThere: boolean,
  ) {
    super(isThere ? `${path} has changed since the run was started` : `${path} no longer exists`);
  }
}
