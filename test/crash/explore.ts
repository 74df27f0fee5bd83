/**
 * Ends a scenario at every call that changes or syncs something, in every state the disk may have afterwards, starts
 * the program again, and compares what is there with what was acknowledged.
 *
 * What must hold after the restart: the tree is as after a whole number of changesets, at least as many as were
 * acknowledged and at most one more; no changeset is recorded as applied twice; starting again changes nothing; and
 * everything still works.
 */
import type { CrashMode } from "./crash-states.ts";
import { Crash, TornWrite } from "./faults.ts";
import { ModelDisk } from "./model-disk.ts";
import { Random } from "./random.ts";
import { live, open, type Program, prefixes, proposalOf, type Scenario, tell, treeOf } from "./scenario.ts";

export interface ExploreOptions {
  readonly program: Program;
  readonly scenario: Scenario;
  readonly modes: readonly CrashMode[];
  /** The maximum number of disks examined for each crash. */
  readonly disksMax: number;
  /** The share of different disks on which the recovery is also crashed at each of its calls. */
  readonly nestedShare: number;
  readonly nestedDisksMax: number;
  /** How the disk may look after a crash of the recovery; `modes` by default. */
  readonly nestedModes?: readonly CrashMode[];
  readonly seed: number;
  /** The initial disk. By default, a disk with the scenario's files, all durable. */
  readonly start?: ModelDisk;
}

/** Every way to crash, within the time a test has. */
export const thoroughly = {
  modes: ["kill", "ordered", "weak"],
  disksMax: 200,
  nestedShare: 0.03,
  nestedDisksMax: 6,
  seed: 1,
} as const;

export interface Explored {
  states: number;
  /** States unlike all before them. The program is started only on these, because it would do the same on the others. */
  different: number;
  nested: number;
  crashes: number;
}

/** Throws `Violation` at the first disk on which a promise is broken. */
export async function explore(exploring: ExploreOptions): Promise<Explored> {
  const { program, scenario, seed } = exploring;
  const prints = await prefixes(program, scenario);
  const given = {
    ...exploring,
    prints,
    random: new Random(seed),
    begun: new Set<string>(),
    judged: new Set<string>(),
  };
  const explored: Explored = { states: 0, different: 0, nested: 0, crashes: 0 };
  for (let call = 0; ; call++) {
    for (const part of [0, 0.5, 1]) {
      const disk = exploring.start?.clone() ?? ModelDisk.of(scenario.before);
      const told = tell();
      const ended = await crashAt(disk, { call, part }, () => live(program, scenario, disk, told));
      if (ended === "reached the end") return explored;
      if (ended === "no write" && part > 0) break;
      explored.crashes++;
      const where = `${scenario.name}, call ${call}, ${part} of it`;
      await lookAtAll(given, { disk, acknowledged: told.acknowledged, where, depth: 1 }, explored);
    }
  }
}

/** A promise was broken. The message says how to reproduce it. */
export class Violation extends Error {
  override name = "Violation";
}

interface Given extends ExploreOptions {
  readonly prints: readonly string[];
  readonly random: Random;
  /**
   * Disks already seen, each with what was acknowledged before: those that the scenario's crash left, and all that were
   * examined.
   */
  readonly begun: Set<string>;
  readonly judged: Set<string>;
}

interface Crashed {
  readonly disk: ModelDisk;
  readonly acknowledged: number;
  readonly where: string;
  readonly depth: number;
}

async function lookAtAll(given: Given, crashed: Crashed, explored: Explored): Promise<void> {
  const limit = crashed.depth === 1 ? given.disksMax : given.nestedDisksMax;
  const modes = crashed.depth === 1 ? given.modes : (given.nestedModes ?? given.modes);
  for (const mode of modes) {
    let number = 0;
    for (const disk of crashed.disk.crashStates(mode, { limit, seed: given.seed + number })) {
      const where = `${crashed.where}, ${mode} ${number++}`;
      explored.states++;
      if (crashed.depth > 1) explored.nested++;
      const key = `${crashed.acknowledged} ${disk.identity()}`;
      if (crashed.depth === 1 && mode === "kill" && given.nestedShare > 0)
        await goOn(given, { ...crashed, disk: disk.clone(), where });
      const isNested = crashed.depth === 1 && isFirst(given.begun, key);
      if (isNested && given.random.chance(given.nestedShare))
        await crashRecovery(given, { ...crashed, disk, where }, explored);
      if (!isFirst(given.judged, key)) continue;
      explored.different++;
      await restart(given, { ...crashed, disk, where });
    }
  }
}

async function crashRecovery(given: Given, crashed: Crashed, explored: Explored): Promise<void> {
  for (let call = 0; ; call++) {
    const disk = crashed.disk.clone();
    const ended = await crashAt(disk, { call, part: 0 }, async () =>
      (await open(given.program, disk)).close(),
    );
    if (ended === "reached the end") return;
    const where = `${crashed.where}, then call ${call} of the recovery`;
    await lookAtAll(given, { ...crashed, disk, where, depth: 2 }, explored);
  }
}

/** After a kill nothing looks lost, but unsynced data is still unsynced, and the next process must not build on it. */
async function goOn(given: Given, { disk, where }: Crashed): Promise<void> {
  const changesets = await open(given.program, disk);
  const next = await changesets.apply(proposalOf({ id: "next", files: { "next.txt": "next" } }, new Map()));
  if (next.outcome !== "applied") throw new Violation(`${where}: the next changeset was ${next.outcome}`);
  for (const after of disk.crashStates("weak", { limit: given.nestedDisksMax, seed: given.seed })) {
    const restarted = await open(given.program, after);
    const isKnown = restarted.history().some(({ id, state }) => id === "next" && state === "applied");
    restarted.close();
    if (after.text("next.txt") !== "next" || !isKnown)
      throw new Violation(`${where}: the next changeset, acknowledged, was lost in a power cut`);
  }
}

async function restart(given: Given, { disk, acknowledged, where }: Crashed): Promise<void> {
  const { program, prints } = given;
  const broken = (what: string): never => {
    throw new Violation(`${where}: ${what}`);
  };
  const recovered = await opened(program, disk, broken);
  const tree = treeOf(disk);
  const whole = prints.findIndex((print, steps) => print === tree && steps >= acknowledged);
  if (whole < 0 || whole > acknowledged + 1)
    broken(`the tree is not one of after ${acknowledged} or ${acknowledged + 1} changesets:\n${tree}`);
  const applied = recovered.history().filter(({ state }) => state === "applied" || state === "undone");
  if (applied.length < whole && prints[whole] !== prints[applied.length])
    broken("the ledger lacks a changeset");
  recovered.close();
  if (disk.handles !== 0) broken(`${disk.handles} handles were left open`);
  // The rest costs as much again, so only a share of the disks is tried.
  if (given.random.chance(0.4)) await startAgain({ program, disk, tree, prints, broken });
}

interface Again {
  readonly program: Program;
  readonly disk: ModelDisk;
  readonly tree: string;
  readonly prints: readonly string[];
  readonly broken: (what: string) => never;
}

/** A second start must find nothing to do, and whatever survived can be undone. */
async function startAgain({ program, disk, tree, prints, broken }: Again): Promise<void> {
  const again = await opened(program, disk, broken);
  if (again.recovered.length > 0) broken("a second start found something to recover");
  if (treeOf(disk) !== tree) broken("a second start changed the tree");
  const survivor = again.history().findLast(({ state, undoes }) => state === "applied" && !undoes);
  const undone = survivor && (await again.undo());
  if (undone && undone.outcome !== "applied") broken(`an undo was refused: ${JSON.stringify(undone)}`);
  if (undone && !prints.includes(treeOf(disk))) broken("an undo gave a tree that never was");
  again.close();
}

async function opened(
  program: Program,
  disk: ModelDisk,
  broken: (what: string) => never,
): Promise<Awaited<ReturnType<typeof open>>> {
  try {
    return await open(program, disk);
  } catch (error) {
    return broken(`it does not start: ${error instanceof Error ? error.message : error}`);
  }
}

/** Adds the item; true if it was not there before. */
export function isFirst(judged: Set<string>, one: string): boolean {
  const before = judged.size;
  return judged.add(one).size > before;
}

interface CrashPoint {
  readonly call: number;
  /** The fraction of a write that gets through before the end. */
  readonly part: number;
}

type Ended = "crashed" | "no write" | "reached the end";

/** Runs `work` on the disk and crashes it at that call. */
export async function crashAt(
  disk: ModelDisk,
  { call, part }: CrashPoint,
  work: () => Promise<void>,
): Promise<Ended> {
  let ended: Ended = "reached the end";
  disk.onCall = (name, index, about) => {
    if (index !== call) return;
    ended = name === "write" ? "crashed" : "no write";
    if (name === "write" && part > 0) throw new TornWrite(Math.ceil(Number(about) * part), new Crash());
    throw new Crash();
  };
  try {
    await work();
  } catch (error) {
    if (!isCrash(error)) throw error;
  }
  disk.onCall = undefined;
  return ended;
}

/** A guard may wrap a `Crash` like any other error. */
export function isCrash(error: unknown): boolean {
  return error instanceof Crash || (error instanceof Error && isCrash(error.cause));
}
