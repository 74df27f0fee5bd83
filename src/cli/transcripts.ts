/** The turns of a task that have a transcript, newest first. */
import type { Recorded } from "../journal/journal.ts";
import type { RunFolder } from "../runtime/run-folder.ts";
import { transcriptName } from "../runtime/transcript.ts";

export interface TurnTranscript {
  readonly turn: string;
  readonly task: string;
  readonly agent: string;
  readonly role: string;
  /** From the repository's root. */
  readonly path: string;
}

export function transcriptsOf(
  folder: RunFolder,
  recorded: readonly Recorded[],
  task: string,
): TurnTranscript[] {
  const turns = recorded.flatMap((one) => (one.event === "agent_dispatched" ? [one.data] : []));
  return turns
    .filter((one) => one.task === task && folder.has(transcriptName(one.turn)))
    .map(({ turn, agent, role }) => ({
      ...{ turn, task, agent, role },
      path: `.coxswain/runs/${folder.run}/${transcriptName(turn)}`,
    }))
    .toReversed();
}
