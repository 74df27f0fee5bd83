/** Recovers from an interrupted landing: it is finished, or given up. */
import type { CommitId } from "../../std/object-id.ts";
import type { Problem } from "../../std/problem.ts";
import type { Coordinator } from "../loop/coordinator.ts";
import { endLanding, landingCodeOf } from "./land.ts";
import { type Checkout, LandingFiles } from "./landing-files.ts";

export interface RecoveredLanding {
  readonly branch: string;
  readonly to: string;
  /** Why it was given up; missing if it was finished. */
  readonly givenUp?: string;
}

/** Undefined if no landing was interrupted. */
export async function recoverLanding(
  coordinator: Coordinator,
  checkout: Checkout,
): Promise<RecoveredLanding | undefined> {
  const { landing } = coordinator.state;
  if (!landing) return undefined;
  const { repository } = coordinator.ports;
  const { branch, from, to, changeset } = landing;
  const files = new LandingFiles({ ...checkout, root: repository.root }, changeset);
  // A landing that changes no files has no changeset; the branch alone decides.
  if (!(await files.areWritten()) && (await hasFiles(coordinator, { from, to })))
    return givenUp(coordinator, "none of its files was changed");
  const head = { commit: from, ...(branch === "HEAD" ? {} : { branch }) };
  try {
    await repository.land({ from: head, to });
  } catch (error) {
    // A user who has moved to another commit may have taken the files along on purpose, so they are left alone.
    if (landingCodeOf(error) === "LAND_MOVED")
      return givenUp(coordinator, `${(error as Error).message}; the files it wrote were kept`);
    throw landingCodeOf(error) === "GIT_INDEX_LOCKED" ? unfinished(error) : error;
  }
  await endLanding(coordinator, { landed: true, reason: "" });
  return { branch, to };
}

async function hasFiles(
  { ports: { repository } }: Coordinator,
  { from, to }: { readonly from: CommitId; readonly to: CommitId },
): Promise<boolean> {
  const [before, after] = [await repository.treeOf(from), await repository.treeOf(to)];
  return (await repository.changes(before, after)).changes.length > 0;
}

async function givenUp(coordinator: Coordinator, reason: string): Promise<RecoveredLanding | undefined> {
  const { landing } = coordinator.state;
  await endLanding(coordinator, { landed: false, reason: `it was interrupted; ${reason}` });
  return landing && { branch: landing.branch, to: landing.to, givenUp: reason };
}

function unfinished(error: unknown): Error {
  const { problem } = error as { problem: Problem };
  const message = `a landing was interrupted: its files are in your checkout, but not yet in the index and on the branch, and it cannot be finished now, because ${problem.message}`;
  return Object.assign(new Error(message, { cause: error }), {
    code: problem.code,
    problem: { ...problem, message },
  });
}
