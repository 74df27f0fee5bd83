/** Why a run's branch cannot land right now, and what to do about it. */
import { counted } from "../../std/counted.ts";
import { quote } from "../../std/printable.ts";
import { lockedProblem } from "../command/git-locks.ts";
import type { LandingPlan } from "../repository.ts";

export type LandingRefusal = Extract<LandingPlan, { readonly kind: "refused" }>;

export function busy(what: string): LandingRefusal {
  return refusal([], {
    code: "LAND_BUSY",
    message: `${what} is in progress in your checkout`,
    hint: "Finish or abort it (git status says how), then land again.",
  });
}

export function onRunsBranch(branch: string): LandingRefusal {
  return refusal([], {
    code: "LAND_ON_RUN",
    message: `your checkout is on ${quote(branch, 120)}, which is a run's own branch, not one of yours`,
    hint: "Switch to the branch to land on (git switch BRANCH), then: cox land",
  });
}

export function locked(path: string): LandingRefusal {
  return refusal([path], lockedProblem(path));
}

export function dirty(paths: readonly string[]): LandingRefusal {
  return refusal(paths, {
    code: "LAND_DIRTY",
    message: `${named(paths)} would be changed, but you have uncommitted changes there`,
    hint: "Commit or stash them, then land again.",
  });
}

export function inTheWay(paths: readonly string[]): LandingRefusal {
  return refusal(paths, {
    code: "LAND_IN_THE_WAY",
    message: `${named(paths)} would be created, but something uncommitted is there`,
    hint: "Move or remove it, or commit it, then land again.",
  });
}

export function conflict(paths: readonly string[], what: string): LandingRefusal {
  return refusal(paths, {
    code: "LAND_CONFLICT",
    message: `your branch and the run both changed ${named(paths)}, and the changes conflict`,
    hint: `Merge it yourself and resolve the conflicts: git merge ${what}`,
  });
}

export function links(paths: readonly string[], what: string): LandingRefusal {
  return refusal(paths, {
    code: "LAND_LINKS",
    message: `the run changes links or submodules (${named(paths)}), which landing does not write`,
    hint: `Merge it yourself: git merge ${what}`,
  });
}

export function folders(paths: readonly string[], what: string): LandingRefusal {
  return refusal(paths, {
    code: "LAND_FOLDER",
    message: `the run puts a file where a folder is, or a folder where a file is (${named(paths)}), which landing does not do`,
    hint: `Merge it yourself: git merge ${what}`,
  });
}

export function unrelated(what: string): LandingRefusal {
  return refusal([], {
    code: "LAND_UNRELATED",
    message:
      "your branch and the run have no commit in common: the history was rewritten, or this is another branch",
    hint: `Switch to the branch that the run started on, or merge it yourself: git merge --allow-unrelated-histories ${what}`,
  });
}

const shownMax = 5;

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, shownMax).map((path) => quote(path));
  const rest = paths.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${counted(rest, "more file")}` : shown.join(", ");
}

function refusal(
  paths: readonly string[],
  problem: { readonly code: string; readonly message: string; readonly hint: string },
): LandingRefusal {
  return { kind: "refused", ...problem, paths };
}
