/**
 * Whether plan and configuration in the repository are still those that a run was approved with. The run keeps its copies;
 * whoever has corrected a file and types `cox resume` should hear that it is not read.
 */
import { snapshotInputs } from "../config/inputs.ts";
import type { State } from "../kernel/state.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { errnoOf } from "../world/errno.ts";
import type { Files } from "../world/files.ts";
import { sha256 } from "../world/hash.ts";
import { Tree } from "../world/tree.ts";
import { considerPlan } from "./consider-plan.ts";
import type { RunFolder } from "./run-folder.ts";

export interface ApprovedInputs {
  readonly folder: RunFolder;
  readonly state: State;
  readonly root: string;
  readonly packageRoot: string;
  readonly drivers: readonly string[];
}

/** Nothing where both are as they were, or cannot be compared. */
export function changedInputs(files: Files, approved: ApprovedInputs): Problem | undefined {
  const changed = [
    ...(isPlanChanged(files, approved) ? ["the plan"] : []),
    ...(isConfigChanged(files, approved) ? ["the configuration"] : []),
  ];
  const { run } = approved.state;
  if (changed.length === 0 || !run) return undefined;
  const plan = oneLine(run.plan_file, 200);
  return {
    code: "INPUTS_CHANGED",
    message: `${changed.join(" and ")} changed since the run ${oneLine(run.run, 60)} was approved; the run keeps what was approved`,
    hint: `To work with what is there now, begin a new run: cox run ${plan} --new`,
  };
}

const planBytesMax = 64 * 1024 * 1024;

/** One that was given on stdin, or is not there any more, cannot be compared. */
function isPlanChanged(files: Files, { state: { run }, root }: ApprovedInputs): boolean {
  const name = run?.plan_file.replace(/^(\.\/)+/, "") ?? "-";
  if (name === "-" || name.startsWith("/") || name.startsWith("..")) return false;
  const tree = Tree.open(files, root);
  try {
    const found = tree.read(name, planBytesMax);
    return found !== undefined && sha256(found.bytes) !== run?.plan_sha256;
  } catch (error) {
    if (errnoOf(error) === undefined && !(error instanceof Error && "code" in error)) throw error;
    return false;
  } finally {
    tree.close();
  }
}

/** By what it would be for the plan that was approved. Documents that go with tasks change by themselves, and are left out. */
function isConfigChanged(files: Files, { folder, state, ...place }: ApprovedInputs): boolean {
  const [plan, kept] = [folder.read("plan.md"), folder.read("config.json")];
  if (!plan || !kept) return false;
  const text = decodeUtf8(plan);
  const considered = considerPlan(files, {
    ...place,
    text,
    name: state.run?.plan_file ?? "",
    isForRun: true,
  });
  const { settings, crew, profiles } = considered;
  const { documents } = snapshotInputs({ planText: text, settings, crew, profiles, base: "" });
  return withoutEnclosures(documents.config) !== withoutEnclosures(decodeUtf8(kept));
}

function withoutEnclosures(config: string): string {
  const { enclosures: _, ...rest } = JSON.parse(config) as Record<string, unknown>;
  return JSON.stringify(rest);
}
