/**
 * Makes the Nth call fail, for every N and every error, until there is no Nth call; then starts the program again on a
 * sound disk.
 *
 * A program that receives an error may report it or refuse, but must never pretend: what it acknowledged is there, even
 * after a power cut, what it refused is not, and its error has a code.
 */

import { isFirst, Violation } from "./explore.ts";
import { errno, TornWrite } from "./faults.ts";
import { ModelDisk } from "./model-disk.ts";
import {
  live,
  open,
  type Program,
  prefixes,
  type Scenario,
  type ScenarioLog,
  tell,
  treeOf,
} from "./scenario.ts";

export const allCodes = ["EIO", "ENOSPC", "EACCES", "EMFILE", "torn"] as const;
export type Code = (typeof allCodes)[number];

export async function loopFaults(
  program: Program,
  scenario: Scenario,
  choice: FaultChoice = {},
): Promise<FaultsLooped> {
  const prints = await prefixes(program, scenario);
  const judged = new Set<string>();
  const counted: FaultsLooped = { faults: 0, states: 0, different: 0 };
  await forEachFault(choice, async (fault, about) => {
    const disk = ModelDisk.of(scenario.before);
    const told = tell();
    const error = await liveWith(fault, disk, () => live(program, scenario, disk, told));
    if (error === "did not fire") return false;
    counted.faults++;
    const where = `${scenario.name}, ${about}`;
    await judge({ program, disk, told, prints, where, error, judged }, counted);
    return true;
  });
  return counted;
}

export interface FaultChoice {
  readonly codes?: readonly Code[];
  /** Whether only that call fails, or all later ones too. */
  readonly lastings?: readonly boolean[];
  /** If true, each call fails in only one of these ways, taking turns; otherwise each call fails in all of them. */
  readonly isSample?: boolean;
}

/** Tries call after call, until `fires` returns false because there is no such call. */
export async function forEachFault(
  { codes = allCodes, lastings = [false, true], isSample = false }: FaultChoice,
  fires: (fault: Fault, about: string) => Promise<boolean>,
): Promise<void> {
  const faults = codes.flatMap((code) => lastings.map((lasting) => ({ code, lasting })));
  for (const kind of ["call", "look"] as const)
    for (const [at, { code, lasting }] of faults.entries())
      for (let number = isSample ? at : 0; ; number += isSample ? faults.length : 1) {
        const about = `${kind} ${number} fails with ${code}${lasting ? " and all after it" : ""}`;
        if (!(await fires({ kind, number, code, lasting }, about))) break;
      }
}

export interface FaultsLooped {
  faults: number;
  states: number;
  /** States unlike all before them. The program is started only on these. */
  different: number;
}

export interface Fault {
  readonly kind: "call" | "look";
  readonly number: number;
  readonly code: Code;
  /** Every later call of that kind fails too, until the restart. */
  readonly lasting: boolean;
}

/** Returns what `work` threw, if anything. */
export async function liveWith(fault: Fault, disk: ModelDisk, work: () => Promise<void>): Promise<unknown> {
  let fired = false;
  const hook = (name: string, index: number, about: string): void => {
    if (fault.lasting ? index < fault.number : index !== fault.number) return;
    if (fault.code === "torn" && name !== "write" && !fault.lasting) return;
    fired = true;
    const failure = errno(fault.code === "torn" ? "ENOSPC" : fault.code);
    throw fault.code === "torn" && name === "write"
      ? new TornWrite(Math.ceil(Number(about) / 2), failure)
      : failure;
  };
  if (fault.kind === "call") disk.onCall = hook;
  else disk.onLook = hook;
  let error: unknown;
  try {
    await work();
  } catch (thrown) {
    error = thrown;
  }
  const count = fault.kind === "call" ? disk.calls : disk.looks;
  disk.onCall = undefined;
  disk.onLook = undefined;
  return fired || fault.number < count ? error : "did not fire";
}

interface JudgeOptions {
  readonly program: Program;
  readonly disk: ModelDisk;
  readonly told: ScenarioLog;
  readonly prints: readonly string[];
  readonly where: string;
  readonly error: unknown;
  /** Disks already examined, each with what was acknowledged before. */
  readonly judged: Set<string>;
}

async function judge(
  { program, disk, told, prints, where, error, judged }: JudgeOptions,
  counted: FaultsLooped,
): Promise<void> {
  const broken = (what: string): never => {
    throw new Violation(`${where}: ${what}`);
  };
  if (error !== undefined && !isNamed(error)) broken(`it fails without a name: ${error}`);
  const refused = told.outcomes.at(-1)?.outcome === "refused";
  const { acknowledged } = told;
  for (const mode of ["kill", "weak"] as const)
    for (const after of disk.crashStates(mode, { limit: 6, seed: 1 })) {
      counted.states++;
      if (!isFirst(judged, `${acknowledged} ${refused} ${after.identity()}`)) continue;
      counted.different++;
      const changesets = await open(program, after).catch((failure) => broken(`no restart: ${failure}`));
      changesets.close();
      const allowed = prints.slice(acknowledged, refused ? acknowledged + 1 : acknowledged + 2);
      if (!allowed.includes(treeOf(after)))
        broken(`${mode}: the tree is not what was told (${acknowledged} applied):\n${treeOf(after)}`);
    }
}

/** Every failure must have a code that a person can look up. */
function isNamed(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    error.name !== "BrokenClaim"
  );
}
