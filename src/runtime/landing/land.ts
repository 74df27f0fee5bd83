/**
 * Landing: brings the run's commits onto the user's branch. If nobody has verified what would land, it is verified first.
 * Then the files are written, as one changeset of the user's checkout, and after them index and branch. It is recorded
 * before and after, so the next process can finish or undo a killed landing (`recover-landing.ts`).
 */
import type { LandingPlan } from "../../git/repository.ts";
import type { Refusal } from "../../kernel/command.ts";
import type { DecisionMaker } from "../../kernel/decision-maker.ts";
import { type LandingProof, landingProof } from "../../kernel/rules/branch/landing.ts";
import { assert } from "../../std/assert.ts";
import type { CommitId } from "../../std/object-id.ts";
import type { Problem } from "../../std/problem.ts";
import { named } from "../../view/status/task-words.ts";
import { runOf } from "../acts/turn-desk.ts";
import type { Coordinator } from "../loop/coordinator.ts";
import { type Checkout, LandingFiles } from "./landing-files.ts";
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
      /** The proof for the landed tree; `none` means that a person asked to land without one. */
      readonly proof: LandingProof;
    }
  /** The verify commands do not pass on what would land. `why` is the command and the end of its output. */
  | { readonly kind: "unverified"; readonly how: Possible["how"]; readonly why: string }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] }
  | { readonly kind: "not-admitted"; readonly refusal: Refusal };

type Possible = Extract<LandingPlan, { kind: "possible" }>;
export interface LandOptions {
  readonly by: DecisionMaker;
  /** Land even if nobody saw the verify commands pass on the result. */
  readonly unverified?: boolean;
  /** Cancels a verification; nothing has been changed by then. */
  readonly signal?: AbortSignal;
  onVerifying?(commands: readonly string[]): void;
}

export async function land(
  coordinator: Coordinator,
  checkout: Checkout,
  { by, ...options }: LandOptions,
): Promise<Landed> {
  const { state, ports } = coordinator;
  const plan = await verifiedPlan(coordinator, options);
  if (plan.kind === "already" || plan.kind === "unverified") return plan;
  if (plan.kind === "refused") {
    const { code, message, hint } = plan;
    return { kind: "refused", problems: [{ code, message, hint }] };
  }
  const proof = landingProof(state, plan.tree);
  const to = await commitOf(coordinator, plan);
  const branch = plan.from.branch ?? "HEAD";
  // Never used twice: an undone landing has already used its name.
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
  const files = new LandingFiles({ ...checkout, root: ports.repository.root }, changeset);
  const facts = { run: runOf(state), how, from: from.commit, to };
  const problems = await files.write(plan.files, facts);
  if (problems.length > 0) {
    await endLanding(coordinator, { landed: false, reason: problems[0]?.message ?? "" });
    return { kind: "refused", problems };
  }
  try {
    await ports.repository.land({ from, to });
  } catch (error) {
    const why = untouched(error);
    if (!why) throw error;
    return putBack(coordinator, files, why);
  }
  await endLanding(coordinator, { landed: true, reason: "" });
  return { kind: "landed", branch, from: from.commit, to, files: plan.files.changes.length, how, proof };
}

/** The user's branch may move while commands run; then there is another tree to verify. */
async function verifiedPlan(
  coordinator: Coordinator,
  { unverified = false, signal, onVerifying }: Omit<LandOptions, "by">,
): Promise<LandingPlan | Extract<Landed, { kind: "unverified" }>> {
  const { state, ports } = coordinator;
  for (;;) {
    const plan = await ports.repository.planLanding(state.tip);
    if (plan.kind !== "possible" || unverified || landingProof(state, plan.tree) !== "none") return plan;
    const { tree, how, from } = plan;
    onVerifying?.(state.run?.settings.verify ?? []);
    const why = await verifyLanding(coordinator, { tree, onto: from.commit, signal });
    if (why !== undefined) return { kind: "unverified", how, why };
  }
}

/** The tip itself, or a merge of the two branches. */
async function commitOf({ state, ports }: Coordinator, plan: Possible): Promise<CommitId> {
  if (plan.how === "fast-forward") return state.tip;
  const { run = "", title = "" } = state.run ?? {};
  return ports.repository.commitTree({
    tree: plan.tree,
    parents: plan.parents,
    message: `Land ${title || run}\n\nCoxswain-Run: ${run}\n`,
    author: { name: "coxswain", email: "coxswain@localhost" },
    time: Math.floor(ports.clock.now() / 1000),
  });
}

/** Index and branch are unchanged, so the files are put back immediately. */
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
    problems: [{ code, message: `${message}; the files were restored`, hint }],
  };
}

function halfLanded({ code, message, hint }: Problem, left: readonly Problem[]): Error {
  const paths = left.flatMap(({ path }) => path ?? []);
  const words = `the files of the landing are in your checkout, but not yet in the index and on the branch: ${message}. They could not be restored, because somebody changed ${named(paths, 5)} meanwhile`;
  const problem: Problem = { code, message: words, hint: `${hint} It finishes the landing.` };
  return Object.assign(new Error(words), { code, problem });
}

/** The problem, if the repository left index and branch unchanged. */
function untouched(error: unknown): Problem | undefined {
  const code = landingCodeOf(error);
  if (code === "GIT_INDEX_LOCKED") return (error as { problem: Problem }).problem;
  if (code !== "LAND_MOVED") return undefined;
  return { code, message: (error as Error).message, hint: "See where you are, then land again: cox land" };
}

export function landingCodeOf(error: unknown): string | undefined {
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
