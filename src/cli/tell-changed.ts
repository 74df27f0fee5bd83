/** Says it where plan or configuration were changed since a run was approved: the run goes on with what was approved. */
import { changedInputs } from "../runtime/changed-inputs.ts";
import type { Entered } from "../runtime/enter-run.ts";
import type { Problem } from "../std/problem.ts";
import { problemsText } from "../view/problems.ts";
import type { Door } from "./door.ts";
import type { RunMeans } from "./run-means.ts";

export function tellChanged(
  { terminal }: Door,
  means: RunMeans,
  { world, folder, seen }: Entered,
): Problem[] {
  const { root } = world.repository;
  const { packageRoot, drivers } = means;
  const found = changedInputs(world.files, { folder, state: seen.state, root, packageRoot, drivers });
  if (!found) return [];
  if (!terminal.json) terminal.notice(problemsText([found], "warning", terminal.noticePaint));
  return [found];
}
