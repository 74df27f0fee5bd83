/**
 * Lets the Nth call fail, for every N and every error, until none fires any more; then starts the program again on
 * a sound disk.
 *
 * A program that was told of an error may say so or refuse, but never pretend: what it acknowledged is there,
 * also after a power cut, what it refused is not, and it names the disk as the cause.
 */

import { isFirst, Violation } from "./explore.ts";
import { errno, TornWrite } from "./faults.ts";
import { ModelDisk } from "./model-disk.ts";
import { live, open, type Program, prefixes, type Scenario, type Told, tell, treeOf } from "./scenario.ts";

const codes = ["EIO", "ENOSPC", "EACCES", "EMFILE"] as const;
export type Code = (typeof codes)[number] | "torn";

export async function loopFaults(
  program: Program,
  scenario: Scenario,
  errors: readonly Code[] = [...codes, "torn"],
  lastings: readonly boolean[] = [false, true],
): Promise<FaultsLooped> {
  const prints = await prefixes(program, scenario);
  const judged = new Set<string>();
  const counted: FaultsLooped = { faults: 0, states: 0, different: 0 };
  for (const code of errors)
    for (const lasting of lastings)
      for (const kind of ["call", "look"] as const)
        for (let number = 0; ; number++) {
          const disk = ModelDisk.of(scenario.before);
          const told = tell();
          const fault: Fault = { kind, number, code, lasting };
          const error = await liveWith(fault, disk, () => live(program, scenario, disk, told));
          if (error === "did not fire") break;
          counted.faults++;
          const where = `${scenario.name}, ${kind} ${number} fails with ${code}${lasting ? " and all after it" : ""}`;
          await judge({ program, disk, told, prints, where, error, judged }, counted);
        }
  return counted;
}

export interface FaultsLooped {
  faults: number;
  states: number;
  /** Those unlike all before them; the program is started on these only. */
  different: number;
}

export interface Fault {
  readonly kind: "call" | "look";
  readonly number: number;
  readonly code: Code;
  /** Every later call of that kind fails too, until the restart. */
  readonly lasting: boolean;
}

/** What it threw, if anything. */
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

interface Judging {
  readonly program: Program;
  readonly disk: ModelDisk;
  readonly told: Told;
  readonly prints: readonly string[];
  readonly where: string;
  readonly error: unknown;
  /** Disks that were looked at, each with what was told before. */
  readonly judged: Set<string>;
}

async function judge(
  { program, disk, told, prints, where, error, judged }: Judging,
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

/** Every failure carries a code that a person can look up. */
function isNamed(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    error.name !== "BrokenClaim"
  );
}
