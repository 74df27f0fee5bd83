/**
 * Ends a life of the documents at every call that changes or syncs something, in every state the disk may have
 * afterwards, lets the next process make a change, and compares what is there with what was acknowledged.
 *
 * The next process behaves the same on the same disk, so no disk is tried twice.
 *
 * What must hold: the documents are as after a whole number of changes, at least those acknowledged and at most one
 * more; the history lists exactly these; no staged files are left; and what the next process acknowledges survives a
 * power cut right afterwards.
 */
import type { CrashMode } from "./crash-states.ts";
import {
  author,
  changesOf,
  type DocumentsLife,
  type DocumentsLog,
  type DocumentsProgram,
  deciding,
  documentsOn,
  liveDocuments,
  nothingReported,
  openDocuments,
  plainOf,
  printOf,
} from "./documents-life.ts";
import { crashAt, isFirst, Violation } from "./explore.ts";
import { type FaultChoice, forEachFault, liveWith } from "./faults-loop.ts";
import { ModelDisk } from "./model-disk.ts";
import { Random } from "./random.ts";

export interface ExploringDocuments {
  readonly program: DocumentsProgram;
  readonly life: DocumentsLife;
  readonly modes: readonly CrashMode[];
  /** The maximum number of disks examined for each crash. */
  readonly disksMax: number;
  /** The share of disks on which the recovery is also crashed at each of its calls. */
  readonly nestedShare: number;
  readonly seed: number;
  /** The range of calls to crash at; all of them by default. */
  readonly calls?: { readonly first: number; readonly last: number };
}

export async function exploreDocuments(
  exploring: ExploringDocuments,
): Promise<{ states: number; nested: number }> {
  const { program, life, seed } = exploring;
  const random = new Random(seed);
  const prints = await printsOf(program, life);
  const tried = new Set<string>();
  const counted = { states: 0, nested: 0 };
  const { first, last } = exploring.calls ?? { first: 0, last: Number.POSITIVE_INFINITY };
  for (let call = first; call <= last; call++)
    for (const part of [0, 0.5, 1]) {
      const disk = ModelDisk.of(plainOf(life));
      const told = nothingReported();
      const ended = await crashAt(disk, { call, part }, () => liveDocuments(program, life, disk, told));
      if (ended === "reached the end") return counted;
      if (ended === "no write" && part > 0) break;
      for (const mode of exploring.modes)
        for (const after of disk.crashStates(mode, { limit: exploring.disksMax, seed })) {
          const where = `${life.name}, call ${call}, ${part} of it, ${mode} ${counted.states}`;
          const crashed = { disk: after, told, prints, where, tried };
          counted.states++;
          if (random.chance(exploring.nestedShare)) counted.nested += await crashRecovery(program, crashed);
          await restart(program, crashed);
        }
    }
  return counted;
}

/** Makes every call fail in turn, with every error, once or from then on. */
export async function failDocuments(
  program: DocumentsProgram,
  life: DocumentsLife,
  choice: FaultChoice,
): Promise<{ faults: number }> {
  const prints = await printsOf(program, life);
  const tried = new Set<string>();
  const counted = { faults: 0 };
  await forEachFault(choice, async (fault, about) => {
    const disk = ModelDisk.of(plainOf(life));
    const told = nothingReported();
    const error = await liveWith(fault, disk, () => liveDocuments(program, life, disk, told));
    if (error === "did not fire") return false;
    counted.faults++;
    const where = `${life.name}, ${about}`;
    if (error !== undefined && typeof (error as { code?: unknown }).code !== "string")
      throw new Violation(`${where}: it fails without a name: ${error}`);
    for (const mode of ["kill", "weak"] as const)
      for (const after of disk.crashStates(mode, { limit: 6, seed: 1 }))
        await restart(program, {
          disk: after,
          told,
          prints,
          where: `${where}, ${mode}`,
          tried,
          isAfterFailure: true,
        });
    return true;
  });
  return counted;
}

/** The documents after no change, after one, after two, and so on. */
async function printsOf(program: DocumentsProgram, life: DocumentsLife): Promise<string[]> {
  const prints = [printOf(documentsOn(ModelDisk.of(plainOf(life))))];
  for (let count = 1; count <= changesOf(life); count++) {
    const disk = ModelDisk.of(plainOf(life));
    const steps = life.steps.filter((step) => step !== "another process").slice(0, count);
    await liveDocuments(program, { ...life, steps }, disk, nothingReported());
    prints.push(printOf(documentsOn(disk)));
  }
  return prints;
}

interface Crashed {
  readonly disk: ModelDisk;
  readonly told: DocumentsLog;
  readonly prints: readonly string[];
  readonly where: string;
  /** Disks that were already tried, each with what was acknowledged before. */
  readonly tried: Set<string>;
  /** A failed sync may have left pages that no later sync saves, so nothing can be promised about them. */
  readonly isAfterFailure?: boolean;
}

async function crashRecovery(program: DocumentsProgram, crashed: Crashed): Promise<number> {
  let states = 0;
  for (let call = 0; ; call++) {
    const again = crashed.disk.clone();
    const ended = await crashAt(again, { call, part: 0 }, () => makeNext(program, again));
    if (ended === "reached the end") return states;
    for (const disk of again.crashStates("weak", { limit: 2, seed: 1 })) {
      states++;
      await restart(program, { ...crashed, disk, where: `${crashed.where}, then call ${call} of the next` });
    }
  }
}

/** The next process makes its own change, and thereby finishes what the previous one left. */
async function makeNext(program: DocumentsProgram, disk: ModelDisk): Promise<void> {
  const store = openDocuments(program, disk, "next");
  try {
    await store.change(author, deciding("next", { "/next.md": "add" }));
  } finally {
    await store.close().catch(() => undefined);
  }
}

async function restart(program: DocumentsProgram, crashed: Crashed): Promise<void> {
  const { disk, told, where, tried } = crashed;
  if (!isFirst(tried, `${told.acknowledged} ${told.afterFailure} ${disk.identity()}`)) return;
  const broken = (what: string): never => {
    throw new Violation(`${where}: ${what}`);
  };
  await makeNext(program, disk).catch((error) => broken(`the next change fails: ${error?.stack ?? error}`));
  await hold(program, crashed, broken);
  const left = [...disk.snapshot().keys()].filter((path) => path.startsWith(".coxswain/documents/staged/"));
  if (left.length > 0) broken(`left lying about: ${left}`);
  if (disk.handles !== 0) broken(`${disk.handles} handles were left open`);
  if (crashed.isAfterFailure) return;
  for (const after of disk.crashStates("weak", { limit: 2, seed: 1 }))
    await hold(program, { ...crashed, disk: after }, (what) => broken(`after a power cut: ${what}`));
}

async function hold(
  program: DocumentsProgram,
  { disk, told, prints }: Crashed,
  broken: (what: string) => never,
): Promise<void> {
  const store = openDocuments(program, disk);
  const deeds = store.history().map(({ about }) => about);
  const steps = deeds.filter((about) => about.startsWith("step"));
  await store.close();
  if (!deeds.includes("next")) broken("the next change has no record");
  if (!disk.text(".coxswain/docs/next.md")?.includes("next\n")) broken("the next change is not there");
  for (const path of told.afterFailure)
    if (!disk.text(`.coxswain/docs${path}`)) broken("what was acknowledged after a failure is not there");
  const found = documentsOn(disk);
  const print = printOf(found);
  if (
    steps.join() !==
    prints
      .slice(0, steps.length)
      .map((_, at) => `step ${at}`)
      .join()
  )
    broken(`the history tells of ${steps}`);
  if (steps.length < told.acknowledged || steps.length > told.acknowledged + 1)
    broken(`${told.acknowledged} changes were acknowledged, and ${steps.length} are recorded`);
  if (print !== prints[steps.length])
    broken(`the documents are not as after ${steps.length} changes: ${print}`);
}
