/**
 * Ends a life of a journal at every call that changes or syncs something, in every state the disk may have afterwards,
 * opens it again, and compares what is there with what was acknowledged.
 *
 * What must hold: the log is a whole number of appends, at least those acknowledged; what a writer reads when it opens
 * the log survives a power cut right then; the second witness is sound; and everything still works. The next writer
 * behaves the same on the same disk, so no disk is tried twice.
 */
import { verifyLog } from "../../src/journal/verify-log.ts";
import type { CrashMode } from "./crash-states.ts";
import { crashAt, isFirst, Violation } from "./explore.ts";
import { type FaultChoice, forEachFault, liveWith } from "./faults-loop.ts";
import {
  eventOf,
  type JournalLife,
  type JournalLog,
  type JournalProgram,
  liveJournal,
  moment,
  nothingReported,
  openJournal,
  textsOf,
} from "./journal-life.ts";
import { ModelDisk } from "./model-disk.ts";
import { modelFiles } from "./model-files.ts";
import { Random } from "./random.ts";

export interface ExploringJournal {
  readonly program: JournalProgram;
  readonly life: JournalLife;
  readonly modes: readonly CrashMode[];
  /** The maximum number of disks examined for each crash. */
  readonly disksMax: number;
  /** The share of disks on which the recovery is also crashed at each of its calls. */
  readonly nestedShare: number;
  readonly seed: number;
  /** The first call to crash at, if earlier ones are of no interest. */
  readonly firstCall?: number;
}

export async function exploreJournal(
  exploring: ExploringJournal,
): Promise<{ states: number; nested: number }> {
  const { program, life, seed } = exploring;
  const random = new Random(seed);
  const judged = new Set<string>();
  const counted = { states: 0, nested: 0 };
  for (let call = exploring.firstCall ?? 0; ; call++)
    for (const part of [0, 0.5, 1]) {
      const disk = emptyRun();
      const told = nothingReported();
      const ended = await crashAt(disk, { call, part }, () => liveJournal(program, life, disk, told));
      if (ended === "reached the end") return counted;
      if (ended === "no write" && part > 0) break;
      for (const mode of exploring.modes)
        for (const after of disk.crashStates(mode, { limit: exploring.disksMax, seed })) {
          const where = `${life.name}, call ${call}, ${part} of it, ${mode} ${counted.states}`;
          counted.states++;
          if (random.chance(exploring.nestedShare))
            counted.nested += await crashRecovery(program, { disk: after, told, where, judged });
          await restart(program, { disk: after, told, where, judged });
        }
    }
}

/** Makes every call fail in turn, with every error, once or from then on. */
export async function failJournal(
  program: JournalProgram,
  life: JournalLife,
  choice: FaultChoice,
): Promise<{ faults: number }> {
  const judged = new Set<string>();
  const counted = { faults: 0 };
  await forEachFault(choice, async (fault, about) => {
    const disk = emptyRun();
    const told = nothingReported();
    const error = await liveWith(fault, disk, () => liveJournal(program, life, disk, told));
    if (error === "did not fire") return false;
    counted.faults++;
    const where = `${life.name}, ${about}`;
    if (told.pretended) throw new Violation(`${where}: something was acknowledged after a failure`);
    if (error !== undefined && typeof (error as { code?: unknown }).code !== "string")
      throw new Violation(`${where}: it fails without a name: ${error}`);
    for (const mode of ["kill", "weak"] as const)
      for (const after of disk.crashStates(mode, { limit: 6, seed: 1 }))
        await restart(program, {
          disk: after,
          told,
          where: `${where}, ${mode}`,
          judged,
          afterFailure: true,
        });
    return true;
  });
  return counted;
}

export function emptyRun(): ModelDisk {
  return ModelDisk.of({ "run/": "" });
}

interface Crashed {
  readonly disk: ModelDisk;
  readonly told: JournalLog;
  readonly where: string;
  /** Disks already tried, each with what was acknowledged before. */
  readonly judged: Set<string>;
  /** A failed sync may have left pages that no later sync saves, so nothing can be promised about them. */
  readonly afterFailure?: boolean;
}

async function crashRecovery(program: JournalProgram, crashed: Crashed): Promise<number> {
  let states = 0;
  for (let call = 0; ; call++) {
    const again = crashed.disk.clone();
    const ended = await crashAt(again, { call, part: 0 }, async () =>
      openJournal(program, modelFiles(again)).close(),
    );
    if (ended === "reached the end") return states;
    const where = `${crashed.where}, then call ${call} of the recovery`;
    for (const disk of again.crashStates("weak", { limit: 6, seed: 1 })) {
      states++;
      await restart(program, { ...crashed, disk, where });
    }
  }
}

async function restart(program: JournalProgram, crashed: Crashed): Promise<void> {
  const { disk, told, where, judged, afterFailure } = crashed;
  if (!isFirst(judged, `${told.acknowledged} ${told.appended.length} ${disk.identity()}`)) return;
  const broken = (what: string): never => {
    throw new Violation(`${where}: ${what}`);
  };
  const journal = opened(program, disk, broken);
  const texts = textsOf(journal);
  const count = wholeAppends(texts, told) ?? broken(`it holds ${texts}, which is no number of whole appends`);
  if (count < told.acknowledged) broken(`of ${told.acknowledged} acknowledged appends ${count} are there`);
  const aboutHead = journal.recovered.find((note) => note.startsWith("head"));
  if (aboutHead) broken(aboutHead);
  for (const after of afterFailure ? [] : disk.crashStates("weak", { limit: 4, seed: 1 })) {
    const shown = textsOf(opened(program, after, broken));
    if (shown.join() !== texts.join()) broken("what the next writer was shown was lost in a power cut");
  }
  journal.append([eventOf("next")], moment);
  await journal.close();
  if (disk.handles !== 0) broken(`${disk.handles} handles were left open`);
  const again = opened(program, disk, broken);
  if (again.recovered.length > 0) broken(`a second start found something to recover: ${again.recovered}`);
  if (textsOf(again).join() !== [...texts, "next"].join()) broken("the next append is not there");
  await again.close();
  const { damage } = verifyLog({ files: modelFiles(disk), folder: "/run" });
  if (damage) broken(`it is reported as damaged: ${damage.message}`);
}

/** How many whole appends the texts are; `undefined` if they are not exactly the first few appends. */
function wholeAppends(texts: readonly string[], { appended }: JournalLog): number | undefined {
  let length = 0;
  for (let count = 0; count <= appended.length; count++) {
    if (texts.length === length) {
      const expected = appended.slice(0, count).flat();
      return texts.join() === expected.join() ? count : undefined;
    }
    length += appended[count]?.length ?? 0;
  }
  return undefined;
}

function opened(program: JournalProgram, disk: ModelDisk, broken: (what: string) => never) {
  try {
    return openJournal(program, modelFiles(disk));
  } catch (error) {
    return broken(`it does not open: ${error instanceof Error ? error.message : error}`);
  }
}
