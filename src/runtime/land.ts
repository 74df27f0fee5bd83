/**
 * Landing: the run's commits come onto the user's branch. What would land is verified where nobody has done so; then files
 * first, as one changeset of the user's checkout, then index and branch; recorded before and after, so that a landing that
 * was killed is finished or undone by the next process (`recover-landing.ts`).
 */
import type { Commit, LandingPlan } from "../git/repository.ts";
import type { Refusal } from "../kernel/command.ts";
import type { Decider } from "../kernel/decider.ts";
import { type LandingProof, landingProof } from "../kernel/landing.ts";
import { assert } from "../std/assert.ts";
import type { Problem } from "../std/problem.ts";
import { named } from "../view/task-words.ts";
import type { Coordinator } from "./coordinator.ts";
import { type Checkout, LandingFiles } from "./landing-files.ts";
import { runOf } from "./turn-desk.ts";
import { verifyLanding } from "./verify-landing.ts";

export type Landed =
  | { readonly kind: "already" }
  | {
      readonly kind: "landed";
      readonly branch: string;
      readonly from: string;
      readonly to: string;
      readonly files: number;
      readonly how: Possible["how"];
      /** What it rests on; `none`: a person wished it all the same. */
      readonly proof: LandingProof;
    }
  /** The verify commands do not pass on what would land; `why` is the command and the end of what it printed. */
  | { readonly kind: "unverified"; readonly how: Possible["how"]; readonly why: string }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] }
  | { readonly kind: "not-admitted"; readonly refusal: Refusal };

type Possible = Extract<LandingPlan, { kind: "possible" }>;
export interface LandingWish {
  readonly by: Decider;
  /** Land it also where nobody saw the verify commands pass on it. */
  readonly unverified?: boolean;
  /** Ends a verification; nothing was changed then. */
  readonly signal?: AbortSignal;
  onVerifying?(commands: readonly string[]): void;
}

export async function land(
  coordinator: Coordinator,
  checkout: Checkout,
  { by, ...wish }: LandingWish,
): Promise<Landed> {
  const { state, hands } = coordinator;
  const plan = await verifiedPlan(coordinator, wish);
  if (plan.kind === "already" || plan.kind === "unverified") return plan;
  if (plan.kind === "refused") {
    const { code, message, hint } = plan;
    return { kind: "refused", problems: [{ code, message, hint }] };
  }
  const proof = landingProof(state, plan.tree);
  const to = await commitOf(coordinator, plan);
  const branch = plan.from.branch ?? "HEAD";
  // Never the same twice: one that was put back has had its name.
  const changeset = `land-${runOf(state)}-${state.seq}`.slice(-64).replace(/^-+/, "");
  const admitted = coordinator.submit({
    command: "prepare-landing",
    branch,
    from: plan.from.commit,
    to,
    tree: plan.tree,
    changeset,
    by,
    ...(proof === "none" && { unverified: true }),
  });
  if ("refused" in admitted) return { kind: "not-admitted", refusal: admitted };
  await coordinator.durable();
  const { from, how } = plan;
  const files = new LandingFiles({ ...checkout, root: hands.repository.root }, changeset);
  const facts = { run: runOf(state), how, from: from.commit, to };
  const problems = await files.write(plan.files, facts);
  if (problems.length > 0) {
    await endLanding(coordinator, { landed: false, reason: problems[0]?.message ?? "" });
    return { kind: "refused", problems };
  }
  try {
    await hands.repository.land({ from, to });
  } catch (error) {
    const why = untouched(error);
    if (!why) throw error;
    return putBack(coordinator, files, why);
  }
  await endLanding(coordinator, { landed: true, reason: "" });
  return { kind: "landed", branch, from: from.commit, to, files: plan.files.changes.length, how, proof };
}

/** While commands run, the user's branch may go on: then there is another tree to be seen. */
async function verifiedPlan(
  coordinator: Coordinator,
  { unverified = false, signal, onVerifying }: Omit<LandingWish, "by">,
): Promise<LandingPlan | Extract<Landed, { kind: "unverified" }>> {
  const { state, hands } = coordinator;
  for (;;) {
    const plan = await hands.repository.planLanding(state.tip as Commit);
    if (plan.kind !== "possible" || unverified || landingProof(state, plan.tree) !== "none") return plan;
    const { tree, how, from } = plan;
    onVerifying?.(state.run?.settings.verify ?? []);
    const why = await verifyLanding(coordinator, { tree, onto: from.commit, signal });
    if (why !== undefined) return { kind: "unverified", how, why };
  }
}

/** The tip itself, or the merge of the two branches. */
async function commitOf({ state, hands }: Coordinator, plan: Possible): Promise<Commit> {
  if (plan.how === "fast-forward") return state.tip as Commit;
  const { run = "", title = "" } = state.run ?? {};
  return hands.repository.seal({
    tree: plan.tree,
    parents: plan.parents,
    message: `Land ${title || run}\n\nCoxswain-Run: ${run}\n`,
    author: { name: "coxswain", email: "coxswain@localhost" },
    time: Math.floor(hands.clock.now() / 1000),
  });
}

/** Index and branch are as they were, so the files are made so too, at once. */
async function putBack(
  coordinator: Coordinator,
  files: LandingFiles,
  { code, message, hint }: Problem,
): Promise<Landed> {
  const left = await files.putBack();
  if (left.length > 0) throw halfLanded({ code, message, hint }, left);
  await endLanding(coordinator, { landed: false, reason: message });
  return {
    kind: "refused",
    problems: [{ code, message: `${message}; the files were put back`, hint }],
  };
}

function halfLanded({ code, message, hint }: Problem, left: readonly Problem[]): Error {
  const paths = left.flatMap(({ path }) => path ?? []);
  const told = `the files of the landing are in your checkout, index and branch do not have them yet: ${message}. They could not be put back, because somebody changed ${named(paths, 5)} meanwhile`;
  const problem: Problem = { code, message: told, hint: `${hint} It finishes the landing.` };
  return Object.assign(new Error(told), { code, problem });
}

/** What the repository says when it left index and branch as they were. */
function untouched(error: unknown): Problem | undefined {
  const code = codeOf(error);
  if (code === "GIT_INDEX_LOCKED") return (error as { problem: Problem }).problem;
  if (code !== "LAND_MOVED") return undefined;
  return { code, message: (error as Error).message, hint: "See where you are, then land again: cox land" };
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

export async function endLanding(
  coordinator: Coordinator,
  end: { landed: boolean; reason: string },
): Promise<void> {
  const admitted = coordinator.submit({ command: "end-landing", ...end });
  assert(!("refused" in admitted), "a landing that was prepared is ended");
  await coordinator.durable();
}
