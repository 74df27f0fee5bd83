/** Landing as the commands do it: what it would do, shown; and what came of it, told. */
import type { Commit, LandingPlan } from "../git/repository.ts";
import type { State } from "../kernel/state.ts";
import type { Landed } from "../runtime/land.ts";
import type { RunWorld } from "../runtime/run-world.ts";
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { LandingShown } from "../view/landing.ts";
import { refusalProblem } from "../view/refusals.ts";
import { shortSha } from "../view/task-words.ts";

export type PlannedLanding =
  | { readonly kind: "already" }
  | { readonly kind: "refused"; readonly problem: Problem }
  | { readonly kind: "possible"; readonly shown: LandingShown };

export async function plannedLanding({ repository }: RunWorld, state: State): Promise<PlannedLanding> {
  const plan = await repository.planLanding(state.tip as Commit);
  if (plan.kind === "already") return plan;
  if (plan.kind === "possible") return { kind: "possible", shown: shownOf(state, plan) };
  const { code, message, hint } = plan;
  return { kind: "refused", problem: { code, message, hint } };
}

function shownOf(state: State, plan: Extract<LandingPlan, { kind: "possible" }>): LandingShown {
  const files = plan.files.changes.map(({ path, pre, post }) => ({
    path,
    change: pre && post ? ("changed" as const) : post ? ("added" as const) : ("deleted" as const),
  }));
  return {
    run: state.run?.run ?? "",
    branch: plan.from.branch ?? null,
    from: plan.from.commit,
    tip: state.tip,
    how: plan.how,
    files,
    done: state.index.counts.verified,
    total: state.tasks.size,
  };
}

/** Nothing when it went well. */
export function landingProblems(landed: Landed): readonly Problem[] {
  if (landed.kind === "refused") return landed.problems;
  return landed.kind === "not-admitted" ? [refusalProblem(landed.refusal)] : [];
}

export function landedWords(landed: Extract<Landed, { kind: "landed" }>): string {
  const onto = landed.branch === "HEAD" ? "your HEAD" : oneLine(landed.branch, 80);
  return `landed: ${onto} is at ${shortSha(landed.to)}, ${counted(landed.files, "file")} changed, verified`;
}
