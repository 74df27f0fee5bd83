/**
 * A short life of a run's journal: writers that follow one another, and appends that may share a sync. Appends and
 * acknowledgements are recorded outside the disk, so that a crash cannot undo them.
 */

import type { FileJournal } from "../../src/journal/file-journal.ts";
import type { Event } from "../../src/kernel/event.ts";
import type { Moment } from "../../src/kernel/moment.ts";
import type { Files } from "../../src/world/files/files.ts";
import type { ModelDisk } from "./model-disk.ts";
import { modelFiles } from "./model-files.ts";

/** The class under test: the real one, or a copy with a mistake sown into it. */
export type JournalProgram = Pick<typeof FileJournal, "open">;

export interface JournalLife {
  readonly name: string;
  readonly sessions: readonly Session[];
}

/** The steps of one writer: an append of so many events, or a wait until everything is durable. */
export type Session = readonly (number | "durable" | "a moment")[];

export const journalLives: readonly JournalLife[] = [
  { name: "the first append ever", sessions: [[1, "durable"]] },
  {
    name: "appends that share a sync, and some that come meanwhile",
    sessions: [[1, 2, "durable", 3, "a moment", 1, 2, "durable", 1]],
  },
  { name: "three writers, one after the other", sessions: [[2, "durable", 1], [], [1, 3, "durable", 2]] },
];

export interface JournalLog {
  /** The texts of each append. */
  readonly appended: string[][];
  acknowledged: number;
  /** Something was acknowledged after a failure. */
  pretended: boolean;
}

export function nothingReported(): JournalLog {
  return { appended: [], acknowledged: 0, pretended: false };
}

export const moment: Moment = { at: 1_700_000_000_000, time: 1 };

export function openJournal(program: JournalProgram, files: Files): FileJournal {
  return program.open({ files, folder: "/run", chance: { id: () => "it" }, holder: "the test" });
}

export async function liveJournal(
  program: JournalProgram,
  life: JournalLife,
  disk: ModelDisk,
  told: JournalLog,
): Promise<void> {
  for (const session of life.sessions) {
    const journal = openJournal(program, modelFiles(disk));
    try {
      await liveSession(journal, session, told);
    } catch (error) {
      await goOnAfterFailure(journal, told);
      throw error;
    }
  }
}

async function liveSession(journal: FileJournal, session: Session, told: JournalLog): Promise<void> {
  for (const step of session) {
    if (step === "durable") await acknowledged(journal.durable(), told);
    else if (step === "a moment") for (let turn = 0; turn < 5; turn++) await undefined;
    else append(journal, step, told);
  }
  await acknowledged(journal.close(), told);
}

function append(journal: FileJournal, count: number, told: JournalLog): void {
  const number = told.appended.length;
  const texts = Array.from({ length: count }, (_, index) => `${number}.${index}`);
  // Recorded first, because an append that throws may or may not be there.
  told.appended.push(texts);
  journal.append(texts.map(eventOf), moment);
}

async function acknowledged(durable: Promise<void>, told: JournalLog): Promise<void> {
  const count = told.appended.length;
  await durable;
  told.acknowledged = count;
}

/** After a failure the journal must acknowledge nothing more. */
async function goOnAfterFailure(journal: FileJournal, told: JournalLog): Promise<void> {
  try {
    journal.append([eventOf("after the failure")], moment);
    await journal.durable();
    told.pretended = true;
  } catch {
    // This is the required behaviour.
  }
  await journal.close().catch(() => undefined);
}

export function eventOf(reason: string): Event {
  return { event: "state_recovery_needed", data: { reason } };
}

export function textsOf(journal: FileJournal): string[] {
  return journal.recorded.map(({ data }) => (data as { reason: string }).reason);
}
