/**
 * Landing on the user's branch. What lands has passing evidence for exactly its tree, like every commit of the run.
 * Only a person may decide otherwise, and that is recorded.
 */
import type { TreeId } from "../../../std/object-id.ts";
import type { Admitted, ExternalCommand } from "../../command.ts";
import { evidenceKey, type State } from "../../state.ts";

type Of<Name extends ExternalCommand["command"]> = Extract<ExternalCommand, { command: Name }>;

/** `none`: there is no passing evidence. `no-commands`: there are no commands to run on it. */
export type LandingProof = "passed" | "no-commands" | "none";

export function landingProof(state: State, tree: TreeId): LandingProof {
  const commands = state.run?.settings.verify ?? [];
  if (commands.length > 0 && state.evidence.has(evidenceKey(tree, commands))) return "passed";
  if (tree === state.tipTree && isTipProven(state)) return "passed";
  return commands.length > 0 ? "none" : "no-commands";
}

/** A task's commit has evidence from the task's own commands, which may differ; it counts unless the whole failed. */
function isTipProven(state: State): boolean {
  const { finalVerify, tip, tipTree } = state;
  if (finalVerify?.tree === tipTree && !finalVerify.passed) return false;
  for (const { phase, facts } of state.tasks.values())
    if (phase.name === "done" && phase.commit?.sha === tip)
      return facts.verify.length > 0 && state.evidence.has(evidenceKey(tipTree, facts.verify));
  return false;
}

export function admitPrepareLanding(state: State, command: Of<"prepare-landing">): Admitted {
  const { branch, from, to, tree, changeset, unverified, by } = command;
  if (state.landing) return { refused: "not-possible-now", why: "a landing is under way" };
  if (state.queue.length > 0)
    return { refused: "not-possible-now", why: "a commit is being put on the run's branch" };
  if (!unverified && landingProof(state, tree) === "none")
    return { refused: "not-possible-now", why: "the verify commands have not passed on what would land" };
  const data = { branch, from, to, tree, changeset, by };
  return [{ event: "landing_prepared", data: unverified ? { ...data, unverified } : data }];
}

export function admitEndLanding(state: State, { landed, reason }: Of<"end-landing">): Admitted {
  const { landing } = state;
  if (!landing) return { refused: "stale", key: "landing" };
  const { branch, from, to } = landing;
  return landed
    ? [{ event: "run_landed", data: { branch, from, to } }]
    : [{ event: "landing_undone", data: { reason } }];
}
