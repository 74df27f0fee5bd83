/** Landing for the commands: shows what it would do, and reports its result. */
import { isReadOnlyMode } from "../../change/change.ts";
import type { LandingPlan } from "../../git/repository.ts";
import { type LandingProof, landingProof } from "../../kernel/rules/branch/landing.ts";
import type { State } from "../../kernel/state.ts";
import type { Landed } from "../../runtime/landing/land.ts";
import type { RecoveredLanding } from "../../runtime/landing/recover-landing.ts";
import type { RunWorld } from "../../runtime/run-world.ts";
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { LandingShown } from "../../view/end/landing.ts";
import { shortSha } from "../../view/status/task-words.ts";
import { refusalProblem } from "../../view/text/refusals.ts";

export type PlannedLanding =
  | { readonly kind: "already" }
  | { readonly kind: "refused"; readonly problem: Problem }
  | { readonly kind: "possible"; readonly shown: LandingShown };

export async function plannedLanding(
  { repository }: RunWorld,
  state: State,
  options: { readonly unverified: boolean } = { unverified: false },
): Promise<PlannedLanding> {
  const plan = await repository.planLanding(state.tip);
  if (plan.kind === "already") return plan;
  if (plan.kind === "possible") {
    const commits = await repository.countCommits({ from: plan.from.commit, to: state.tip });
    return { kind: "possible", shown: { ...shownOf(state, plan, options), commits } };
  }
  const { code, message, hint } = plan;
  return { kind: "refused", problem: { code, message, hint } };
}

function shownOf(
  state: State,
  plan: Extract<LandingPlan, { kind: "possible" }>,
  { unverified }: { readonly unverified: boolean },
): Omit<LandingShown, "commits"> {
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
    proof: landingProof(state, plan.tree),
    commands: unverified ? [] : (state.run?.settings.verify ?? []),
    readOnly: plan.files.changes.flatMap(({ path, pre, post }) =>
      pre && post && isReadOnlyMode(pre) ? [path] : [],
    ),
    bypassed: plan.bypassed,
    done: state.index.counts.done,
    total: state.tasks.size,
  };
}

/** Empty if it went well. */
export function landingProblems(
  landed: Landed,
  { run }: State,
  { json }: { readonly json: boolean },
): readonly Problem[] {
  switch (landed.kind) {
    case "refused":
      return landed.problems;
    case "not-admitted":
      return [refusalProblem(landed.refusal)];
    case "unverified":
      return [unverified(landed, { run: run?.run ?? "", branch: run?.branch ?? "", json })];
    default:
      return [];
  }
}

function unverified(
  { how, why }: Extract<Landed, { kind: "unverified" }>,
  { run, branch, json }: { readonly run: string; readonly branch: string; readonly json: boolean },
): Problem {
  // People have already seen the output above this.
  const [command = ""] = why.split("\n");
  const [what, mend] =
    how === "merge"
      ? ["your branch and the run, merged, do not pass", `Merge it yourself and fix it: git merge ${branch}`]
      : ["the run's branch does not pass", "See what the run did: cox diff"];
  return {
    code: "LAND_UNVERIFIED",
    message: `${what}, so nothing was changed: ${json ? why : command}`,
    hint: `${mend}. Or land it as it is: cox land ${run} --unverified`,
  };
}

export function landedWords(landed: Extract<Landed, { kind: "landed" }>): string {
  const onto = landed.branch === "HEAD" ? "your HEAD" : oneLine(landed.branch, 80);
  return `landed: ${onto} is at ${shortSha(landed.to)}, ${counted(landed.files, "file")} changed, ${proofWords[landed.proof]}`;
}

export function recoveredWords({ branch, to, givenUp }: RecoveredLanding): string {
  const onto = branch === "HEAD" ? "your HEAD" : oneLine(branch, 80);
  return givenUp === undefined
    ? `the interrupted landing was finished: ${onto} is at ${shortSha(to)}`
    : `the interrupted landing was given up: ${oneLine(givenUp, 400)}`;
}

/** "verified" always means that verify commands passed, and nothing else. */
const proofWords: Readonly<Record<LandingProof, string>> = {
  passed: "verified",
  "no-commands": "not verified: the plan has no verify command",
  none: "not verified, as you asked",
};

/** For programs. `verified` is null if there were no commands to run. */
export function landedDocument({ kind: _, proof, ...facts }: Extract<Landed, { kind: "landed" }>) {
  return { ...facts, verified: proof === "no-commands" ? null : proof === "passed" };
}
