/**
 * Landing: the run's commits come onto the user's branch. What would land is verified where nobody has done so; then files
 * first, as one changeset of the user's checkout, then index and branch; recorded before and after, so that a landing that
 * was killed is finished or undone by the next process.
 */
import type { Change, Contents, Sha256 } from "../change/change.ts";
import { Changesets, type Opening } from "../changeset/changesets.ts";
import type { Commit, LandingPlan, TreeChanges } from "../git/repository.ts";
import type { Refusal } from "../kernel/command.ts";
import type { Decider } from "../kernel/decider.ts";
import { type LandingProof, landingProof } from "../kernel/landing.ts";
import { assert } from "../std/assert.ts";
import type { Problem } from "../std/problem.ts";
import type { Coordinator } from "./coordinator.ts";
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
/** How the changesets of the user's checkout are opened. */
export type Checkout = Omit<Opening, "root">;

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
  const changeset = `land-${runOf(state)}-${state.landed.length + 1}`.slice(-64).replace(/^-+/, "");
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
  const problems = await writeFiles(coordinator, checkout, { changeset, files: plan.files });
  if (problems.length > 0) {
    await ended(coordinator, { landed: false, reason: problems[0]?.message ?? "" });
    return { kind: "refused", problems };
  }
  await hands.repository.land({ from: plan.from, to });
  await ended(coordinator, { landed: true, reason: "" });
  const { from, how, files } = plan;
  return { kind: "landed", branch, from: from.commit, to, files: files.changes.length, how, proof };
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

/** For what a killed process left: wholly there, or wholly not. */
export async function recoverLanding(coordinator: Coordinator, checkout: Checkout): Promise<void> {
  const { landing } = coordinator.state;
  if (!landing) return;
  const { repository } = coordinator.hands;
  const { branch, from, to, changeset } = landing;
  const head = { commit: from as Commit, ...(branch === "HEAD" ? {} : { branch }) };
  const changesets = await Changesets.open({ ...checkout, root: repository.root });
  const isWritten = changesets.history().some(({ id, state }) => id === changeset && state === "applied");
  changesets.close();
  // A landing without any file to change has no changeset: the branch alone decides.
  const hasFiles =
    (await repository.changes(await treeAt(coordinator, from), await treeAt(coordinator, to))).changes
      .length > 0;
  if (!isWritten && hasFiles) {
    await ended(coordinator, { landed: false, reason: "it was interrupted before the files were changed" });
    return;
  }
  await repository.land({ from: head, to: to as Commit });
  await ended(coordinator, { landed: true, reason: "" });
}

function treeAt({ hands }: Coordinator, commit: string) {
  return hands.repository.treeOf(commit as Commit);
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

async function writeFiles(
  { hands }: Coordinator,
  checkout: Checkout,
  { changeset: id, files }: { changeset: string; files: TreeChanges },
): Promise<readonly Problem[]> {
  if (files.changes.length === 0) return [];
  const changesets = await Changesets.open({ ...checkout, root: hands.repository.root });
  try {
    const about = { summary: "landing of a run", operations: [] };
    const { changes } = files;
    const outcome = await changesets.apply({ id, changes, contents: contentsOf(files), about });
    return outcome.outcome === "refused" ? outcome.problems : [];
  } finally {
    changesets.close();
  }
}

function contentsOf({ changes, bytes }: TreeChanges): Contents {
  const images = changes.flatMap(({ pre, post }: Change) => [pre, post]);
  const contents = new Map<Sha256, Uint8Array>();
  for (const image of images) if (image) contents.set(image.sha256, bytes(image.sha256));
  return contents;
}

async function ended(coordinator: Coordinator, end: { landed: boolean; reason: string }): Promise<void> {
  const admitted = coordinator.submit({ command: "end-landing", ...end });
  assert(!("refused" in admitted), "a landing that was prepared is ended");
  await coordinator.durable();
}
