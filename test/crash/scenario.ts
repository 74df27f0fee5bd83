/**
 * A short life of a root: some files, and changesets that follow one another. Acknowledgements are recorded outside the
 * disk, so that a crash cannot undo them.
 */
import type { Change, Image, Sha256 } from "../../src/change/change.ts";
import type { TreePath } from "../../src/change/path.ts";
import type { Changesets } from "../../src/changeset/changesets.ts";
import type { ApplyOutcome, Proposal } from "../../src/changeset/proposal.ts";
import { sha256 } from "../../src/world/files/hash.ts";
import { ModelDisk, type Plain } from "./model-disk.ts";
import { modelFiles } from "./model-files.ts";

/** The class under test: the real one, or a copy with a mistake sown into it. */
export type Program = Pick<typeof Changesets, "open">;

export interface Scenario {
  readonly name: string;
  readonly before: Plain;
  readonly steps: readonly Step[];
  /** The share of different disks whose recovery is crashed too, chosen so that every scenario has about 65,000 states. */
  readonly nestedShare: number;
}

/** A changeset given by its files (`undefined` deletes the file), or an undo of the previous one. */
export type Step =
  | { readonly id: string; readonly files: Readonly<Record<string, string | undefined>> }
  | "undo";

export interface ScenarioLog {
  /** The number of steps acknowledged as applied. */
  acknowledged: number;
  readonly outcomes: ApplyOutcome[];
}

export async function open(program: Program, disk: ModelDisk, files = modelFiles(disk)): Promise<Changesets> {
  return program.open({
    files,
    root: "/",
    clock: { now: () => 1_700_000_000_000 },
    chance: { id: (length) => `u${String(disk.newId()).padStart(length - 1, "0")}` },
    waitMs: 0,
  });
}

/** Plays the scenario from `first` on. `told` is filled along the way, so it is valid even if the scenario is cut short. */
export async function live(
  program: Program,
  scenario: Scenario,
  disk: ModelDisk,
  told: ScenarioLog,
): Promise<void> {
  const changesets = await open(program, disk);
  const plain = tracking(scenario);
  for (const step of scenario.steps) {
    const outcome =
      step === "undo" ? await changesets.undo() : await changesets.apply(proposalOf(step, plain.now()));
    plain.next();
    told.outcomes.push(outcome);
    if (outcome.outcome === "applied") told.acknowledged++;
    else break;
  }
  changesets.close();
}

/** What the user's tree looks like before the first step and after each. */
export async function prefixes(program: Program, scenario: Scenario): Promise<string[]> {
  const prints: string[] = [];
  for (let length = 0; length <= scenario.steps.length; length++) {
    const disk = ModelDisk.of(scenario.before);
    await live(program, { ...scenario, steps: scenario.steps.slice(0, length) }, disk, tell());
    prints.push(treeOf(disk));
  }
  return prints;
}

export function tell(): ScenarioLog {
  return { acknowledged: 0, outcomes: [] };
}

/** Everything except our own folder. */
export function treeOf(disk: ModelDisk): string {
  return disk.fingerprint((path) => path === ".coxswain");
}

type Texts = ReadonlyMap<string, string>;

/** The texts of all files after each step. Each proposal is made against them. */
function tracking({ before, steps }: Scenario): { now(): Texts; next(): void } {
  const past: Texts[] = [];
  let texts: Texts = new Map(Object.entries(before).map(([path, text]) => [path, textOf(text)]));
  let at = 0;
  return {
    now: () => texts,
    next: () => {
      const step = steps[at++];
      if (step === "undo") {
        texts = past.at(-1) ?? texts;
        return;
      }
      past.push(texts);
      const changed = new Map(texts);
      for (const [path, text] of Object.entries(step?.files ?? {}))
        if (text === undefined) changed.delete(path);
        else changed.set(path, text);
      texts = changed;
    },
  };
}

function textOf(content: Plain[string]): string {
  if (typeof content === "string") return content;
  return "text" in content ? content.text : new TextDecoder().decode(content);
}

/** The changeset that turns the present files into these. */
export function proposalOf({ id, files }: Exclude<Step, "undo">, now: Texts, mode = 0o644): Proposal {
  const contents = new Map<Sha256, Uint8Array>();
  const image = (text: string | undefined): Image | undefined => {
    if (text === undefined) return undefined;
    const bytes = new TextEncoder().encode(text);
    contents.set(sha256(bytes), bytes);
    return { sha256: sha256(bytes), size: bytes.length, mode };
  };
  const changes = Object.entries(files).map(([path, text]): Change => {
    const pre = image(now.get(path));
    const post = image(text);
    return { path: path as TreePath, ...(pre && { pre }), ...(post && { post }) };
  });
  const operations = changes.map(({ path, pre, post }, index) => ({
    index,
    operation: !post ? ("delete" as const) : pre ? ("edit" as const) : ("create" as const),
    path,
    description: "a step of the scenario",
  }));
  return { id, changes, contents, about: { operations } };
}
