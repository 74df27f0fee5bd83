/**
 * Ends a life of a journal at every call that changes or syncs something, in every way the disk may look afterwards,
 * opens it again, and holds what is there against what was told.
 *
 * What must hold: the log is some whole number of appends, at least those that were acknowledged; what a writer was
 * shown when it opened survives a power cut that comes right then; the second witness is sound; everything goes on.
 * The next writer does the same on the same disk, so a disk that was there before is not tried again.
 */
import { verifyLog } from "../../src/journal/verify-log.ts";
import type { CrashMode } from "./crash-states.ts";
import { crashAt, isFirst, Violation } from "./explore.ts";
import { type Code, type Fault, liveWith } from "./faults-loop.ts";
import {
  eventOf,
  type JournalLife,
  type JournalProgram,
  liveJournal,
  moment,
  nothingTold,
  openJournal,
  type Told,
  textsOf,
} from "./journal-life.ts";
import { ModelDisk } from "./model-disk.ts";
import { modelFiles } from "./model-files.ts";
import { Random } from "./random.ts";

export interface ExploringJournal {
  readonly program: JournalProgram;
  readonly life: JournalLife;
  readonly modes: readonly CrashMode[];
  /** How many disks at most are looked at for each crash. */
  readonly disksMax: number;
  /** The share of disks whose recovery is itself crashed at each of its calls. */
  readonly nestedShare: number;
  readonly seed: number;
  /** The first call that is cut short, where those before it are of no interest. */
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
      const told = nothingTold();
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

/** Lets every call fail in turn, with every error, once or from then on. */
export async function failJournal(
  program: JournalProgram,
  life: JournalLife,
  codes: readonly Code[],
): Promise<{ faults: number }> {
  const judged = new Set<string>();
  const counted = { faults: 0 };
  for (const code of codes)
    for (const lasting of [false, true])
      for (const kind of ["call", "look"] as const)
        for (let number = 0; ; number++) {
          const disk = emptyRun();
          const told = nothingTold();
          const fault: Fault = { kind, number, code, lasting };
          const error = await liveWith(fault, disk, () => liveJournal(program, life, disk, told));
          if (error === "did not fire") break;
          counted.faults++;
          const where = `${life.name}, ${kind} ${number} fails with ${code}${lasting ? " and all after it" : ""}`;
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
        }
  return counted;
}

export function emptyRun(): ModelDisk {
  return ModelDisk.of({ "run/": "" });
}

interface Crashed {
  readonly disk: ModelDisk;
  readonly told: Told;
  readonly where: string;
  /** Disks that were tried, each with what was told before. */
  readonly judged: Set<string>;
  /** A sync that failed may have left pages that no later sync saves: nobody can promise anything about them. */
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

/** Nothing when it is something else than the first so many appends. */
function wholeAppends(texts: readonly string[], { appended }: Told): number | undefined {
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
