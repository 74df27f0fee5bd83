/** The runs of a repository, to look at: takes no lock and writes nothing. */
import { RunLook } from "../runtime/look-at-run.ts";
import { RunFolder } from "../runtime/run-folder.ts";
import { type StatusDocument, statusDocument } from "../view/status.ts";
import type { Clock } from "../world/clock.ts";
import type { Files } from "../world/files.ts";

export interface Runs {
  /** Newest first. */
  list(): readonly string[];
  /** Nothing when there is no such run. */
  status(run: string): Promise<StatusDocument | undefined>;
}

export function runsOf({ files, clock }: { files: Files; clock: Clock }, root: string): Runs {
  const list = () => RunFolder.list(files, root);
  return {
    list,
    async status(run) {
      // By its name in the list, because a name from outside may be a path.
      if (!list().includes(run)) return undefined;
      const folder = RunFolder.open(files, root, run);
      if (!folder) return undefined;
      const look = new RunLook(files, folder);
      try {
        while ((await look.read()).length > 0);
        return statusDocument(look.seen(clock.now()));
      } finally {
        look.close();
      }
    },
  };
}
