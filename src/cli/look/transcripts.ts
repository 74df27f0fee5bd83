/** Lists the turns of a task, and the ones that have a transcript. */
import type { Recorded } from "../../journal/journal.ts";
import type { RunFolder } from "../../runtime/folder/run-folder.ts";
import { transcriptName } from "../../runtime/folder/transcript.ts";

export interface TurnTranscript {
  readonly turn: string;
  readonly task: string;
  readonly agent: string;
  readonly role: string;
  /** Relative to the repository's root. */
  readonly path: string;
}

/** Newest first. */
export function transcriptsOf(
  folder: RunFolder,
  recorded: readonly Recorded[],
  task: string,
): TurnTranscript[] {
  const turns = dispatchedTurns(folder, recorded, task);
  return turns.filter(({ turn }) => folder.has(transcriptName(turn))).toReversed();
}

/** All dispatched turns in order, including those that have no transcript yet. */
export function dispatchedTurns(
  { run }: Pick<RunFolder, "run">,
  recorded: readonly Recorded[],
  task: string,
): TurnTranscript[] {
  const turns = recorded.flatMap((one) => (one.event === "agent_dispatched" ? [one.data] : []));
  return turns
    .filter((one) => one.task === task)
    .map(({ turn, agent, role }) => ({
      ...{ turn, task, agent, role },
      path: `.coxswain/runs/${run}/${transcriptName(turn)}`,
    }));
}
