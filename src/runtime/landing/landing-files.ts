/** The files of a landing: one changeset of the user's checkout, which names the landing it belongs to. */
import type { Change, Contents, Sha256 } from "../../change/change.ts";
import { Changesets, type OpenChangesetsOptions } from "../../changeset/changesets.ts";
import type { LandingFacts } from "../../changeset/proposal.ts";
import type { TreeChanges } from "../../git/repository.ts";
import type { Problem } from "../../std/problem.ts";

/** How the changesets of the user's checkout are opened. */
export type Checkout = Omit<OpenChangesetsOptions, "root">;

export class LandingFiles {
  constructor(
    private readonly opening: OpenChangesetsOptions,
    private readonly changeset: string,
  ) {}

  /** Empty if all files were written. */
  write({ changes, bytes }: TreeChanges, landing: LandingFacts): Promise<readonly Problem[]> {
    if (changes.length === 0) return Promise.resolve([]);
    const about = { summary: `landing of the run ${landing.run}`, landing, operations: [] };
    return this.#with(async (changesets) => {
      const contents = contentsOf({ changes, bytes });
      const outcome = await changesets.apply({ id: this.changeset, changes, contents, about });
      return outcome.outcome === "refused" ? outcome.problems : [];
    });
  }

  areWritten(): Promise<boolean> {
    return this.#with(async (changesets) => this.#isThere(changesets));
  }

  /** Empty if the files are as they were before. */
  putBack(): Promise<readonly Problem[]> {
    return this.#with(async (changesets) => {
      if (!this.#isThere(changesets)) return [];
      const outcome = await changesets.undoLanding(this.changeset);
      return outcome.outcome === "refused" ? outcome.problems : [];
    });
  }

  #isThere(changesets: Changesets): boolean {
    return changesets.history().some(({ id, state }) => id === this.changeset && state === "applied");
  }

  async #with<T>(work: (changesets: Changesets) => Promise<T>): Promise<T> {
    const changesets = await Changesets.open(this.opening);
    try {
      return await work(changesets);
    } finally {
      changesets.close();
    }
  }
}

function contentsOf({ changes, bytes }: Pick<TreeChanges, "changes" | "bytes">): Contents {
  const images = changes.flatMap(({ pre, post }: Change) => [pre, post]);
  const contents = new Map<Sha256, Uint8Array>();
  for (const image of images) if (image) contents.set(image.sha256, bytes(image.sha256));
  return contents;
}
