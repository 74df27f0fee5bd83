/**
 * What a run was begun with, as it lies in its folder. It is held against the digests in the log whenever it is read, and
 * nothing else, at a desk or in the repository, is ever read as configuration.
 */
import type { CrewAgent } from "../config/crew.ts";
import type { State } from "../kernel/state.ts";
import { parsePlan } from "../plan/parse.ts";
import type { Plan, Settings } from "../plan/plan.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import { sha256 } from "../world/hash.ts";
import type { RunFolder } from "./run-folder.ts";

const planName = "plan.md";
const configName = "config.json";

export interface RunInputs {
  readonly plan: Plan;
  readonly contract: string;
  readonly agents: ReadonlyMap<string, CrewAgent>;
  /** What happens at the end of a run that is done. */
  readonly land: "ask" | "auto" | "never";
}

export async function keepInputs(
  folder: RunFolder,
  documents: { plan: string; config: string },
): Promise<void> {
  await folder.keep(planName, encodeUtf8(documents.plan));
  await folder.keep(configName, encodeUtf8(documents.config));
}

export function readInputs(folder: RunFolder, state: State): RunInputs {
  const planText = readAs(folder, planName, { code: "PLAN_CHANGED", digest: state.run?.plan_sha256 });
  const config = readAs(folder, configName, { code: "CONFIG_CHANGED", digest: state.run?.config_sha256 });
  const { agents, contract, settings } = JSON.parse(config) as ConfigDocument;
  return {
    plan: parsePlan(planText).plan,
    contract,
    agents: new Map(agents.map((agent) => [agent.name, agent])),
    land: settings.land ?? "ask",
  };
}

interface ConfigDocument {
  readonly agents: readonly CrewAgent[];
  readonly contract: string;
  readonly settings: Pick<Settings, "land">;
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
    "A run goes on with exactly what was approved. Put the file back as it was, or start a new run with the changed plan: cox run PLAN.md";

  constructor(
    readonly code: string,
    path: string,
    isThere: boolean,
  ) {
    super(isThere ? `${path} is not what the run was begun with` : `${path} is not there any more`);
  }
}
