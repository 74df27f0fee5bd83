/** Warns if the plan or the configuration changed since a run was approved. The run continues with what was approved. */
import { changedInputs } from "../../runtime/folder/changed-inputs.ts";
import type { Entered } from "../../runtime/start/enter-run.ts";
import type { Problem } from "../../std/problem.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { CommandContext } from "../command-context.ts";
import type { RunPorts } from "./run-ports.ts";

export function tellChanged(
  { terminal }: CommandContext,
  ports: RunPorts,
  { world, folder, seen }: Entered,
): Problem[] {
  const { root } = world.repository;
  const { packageRoot, drivers } = ports;
  const found = changedInputs(world.files, { folder, state: seen.state, root, packageRoot, drivers });
  if (!found) return [];
  if (!terminal.json) terminal.notice(problemsText([found], "warning", terminal.noticePaint));
  return [found];
}
