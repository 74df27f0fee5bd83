/**
 * Checks whether the plan and the configuration in the repository are still those that a run was approved with. The run
 * uses its own copies, so a user who edits a file and types `cox resume` must learn that the edit is not read.
 */
import { snapshotInputs } from "../../config/trust/inputs.ts";
import type { State } from "../../kernel/state.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { Files } from "../../world/files/files.ts";
import { sha256 } from "../../world/files/hash.ts";
import { Tree } from "../../world/folders/tree.ts";
import { considerPlan } from "../start/consider-plan.ts";
import type { RunFolder } from "./run-folder.ts";
import { keptTypedSettings } from "./run-inputs.ts";

export interface ApprovedInputs {
  readonly folder: RunFolder;
  readonly state: State;
  readonly root: string;
  readonly packageRoot: string;
  readonly drivers: readonly string[];
}

/** Undefined if both are unchanged or cannot be compared. */
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
    hint: `To use the new version, start a new run: cox run ${plan} --new`,
  };
}

const planBytesMax = 64 * 1024 * 1024;

/** A plan that came from stdin, or no longer exists, cannot be compared. */
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

/**
 * Compares with the configuration that the approved plan would get now. Attached documents change independently of the
 * configuration, so they are left out.
 */
function isConfigChanged(files: Files, { folder, state, ...place }: ApprovedInputs): boolean {
  const [plan, kept] = [folder.read("plan.md"), folder.read("config.json")];
  if (!plan || !kept) return false;
  const text = decodeUtf8(plan);
  const considered = considerPlan(files, {
    ...place,
    text,
    name: state.run?.plan_file ?? "",
    isForRun: true,
    commandLine: { settings: keptTypedSettings(folder, decodeUtf8(kept)), text: "" },
  });
  const { settings, crew, profiles } = considered;
  const { documents } = snapshotInputs({ planText: text, settings, crew, profiles, base: "" });
  return withoutAttachments(documents.config) !== withoutAttachments(decodeUtf8(kept));
}

function withoutAttachments(config: string): string {
  const { enclosures: _, ...rest } = JSON.parse(config) as Record<string, unknown>;
  return JSON.stringify(rest);
}
