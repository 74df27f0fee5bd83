/** Opens a run for a command that only looks: the one that was named or the newest, read to the end of its log. */
import type { Recorded } from "../journal/journal.ts";
import { chooseRun } from "../runtime/choose-run.ts";
import { RunLook } from "../runtime/look-at-run.ts";
import type { RunFolder } from "../runtime/run-folder.ts";
import { runsRoot } from "../runtime/runs-root.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { tellProblems } from "./tell-problems.ts";

export interface SeenRun {
  readonly look: RunLook;
  readonly folder: RunFolder;
  /** Everything that this version has words for. */
  readonly recorded: readonly Recorded[];
}

export interface Wanted {
  /** For the document of a failure. */
  readonly command: string;
  /** The name of a run, or the beginning of one; nothing means the newest. */
  readonly run: string | undefined;
}

export async function seeRun(
  door: Door,
  { command, run }: Wanted,
  show: (seen: SeenRun) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  const { files, values } = door;
  const chosen = chooseRun(files, runsRoot(files, values.one("root")), run);
  if ("problem" in chosen) return tellProblems(door, command, [chosen.problem], exit.usage);
  const { folder } = chosen;
  const look = new RunLook(files, folder);
  try {
    const recorded: Recorded[] = [];
    // Until nothing more comes: what stands before a damage is answered with first, then the damage is thrown.
    for (let more = await look.read(); more.length > 0; more = await look.read()) recorded.push(...more);
    return await show({ look, folder, recorded });
  } finally {
    look.close();
  }
}
