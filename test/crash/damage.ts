/**
 * Ends a changeset at every call after its commit point, then damages its stage in every possible way and starts the
 * program again: once without, and once with somebody's edit to a file right after the commit point, which forces the
 * changeset to be taken back.
 *
 * Whatever is damaged, each file must be as before the changeset, as after it, or as somebody else left it. If that
 * differs between files, or the damage could go unnoticed, the program must report it and name the place. It must
 * report it again at every start until somebody has fixed it. For each file that is neither as before nor as after, the
 * previous content must still be stored.
 */
import type { Recovered } from "../../src/changeset/changesets.ts";
import { decodeManifest, type Manifest } from "../../src/changeset/manifest.ts";
import { crashAt, isCrash, isFirst, Violation } from "./explore.ts";
import { ModelDisk } from "./model-disk.ts";
import { Random } from "./random.ts";
import { live, open, type Program, proposalOf, type Scenario, type Step, tell, treeOf } from "./scenario.ts";

export interface DamageOptions {
  /** The share of damaged disks on which the recovery is also ended at each of its calls. */
  readonly nestedShare: number;
  readonly seed?: number;
}

export interface DamageCount {
  /** Damaged disks on which the program was started. */
  damaged: number;
  /** How many of them it refused to continue with. */
  refused: number;
  nested: number;
}

export async function damageStages(
  program: Program,
  scenario: Scenario,
  { nestedShare, seed = 1 }: DamageOptions,
): Promise<DamageCount> {
  const step = scenario.steps[0];
  if (!step || step === "undo") throw new Error("the scenario begins with a changeset");
  const count: DamageCount = { damaged: 0, refused: 0, nested: 0 };
  const random = new Random(seed);
  for (const theirs of [undefined, ...Object.keys(step.files)]) {
    const judged = new Set<string>();
    for (let call = 0; ; call++) {
      const disk = ModelDisk.of(scenario.before);
      const ended = await crashAt(disk, { call, part: 0 }, () => begin(program, scenario, { disk, theirs }));
      if (ended === "reached the end") break;
      const where = `${scenario.name}, ${theirs ?? "nobody"}'s edit, call ${call}`;
      for (const after of disk.crashStates("kill", { limit: 1, seed })) {
        const manifest = committed(after, step.id);
        if (!manifest || !isFirst(judged, after.identity())) continue;
        for (const [name, damage] of damages(manifest)) {
          const given = {
            random,
            program,
            scenario,
            step,
            theirs,
            manifest,
            damage,
            where: `${where}, ${name}`,
          };
          await startDamaged(given, after, count);
          // The file that was written into may also be a user's file, under a name that a power cut brings back.
          if (!name.endsWith("written into") && random.chance(nestedShare))
            await crashStart(given, after, count);
        }
      }
    }
  }
  return count;
}

/** Starts the changeset, with somebody's edit right after the commit point if requested. */
async function begin(
  program: Program,
  scenario: Scenario,
  { disk, theirs }: { readonly disk: ModelDisk; readonly theirs: string | undefined },
): Promise<void> {
  const crash = disk.onCall;
  let isEdited = theirs === undefined;
  disk.onCall = (name, index, about) => {
    if (!isEdited && theirs !== undefined && isPrepared(disk)) {
      isEdited = true;
      disk.put(theirs, editedText);
    }
    crash?.(name, index, about);
  };
  await live(program, { ...scenario, steps: scenario.steps.slice(0, 1) }, disk, tell());
}

const editedText = "THEIRS";
const room = ".coxswain/changesets";

function isPrepared(disk: ModelDisk): boolean {
  return disk.text(`${room}/ledger.jsonl`)?.includes('"changeset_prepared"') ?? false;
}

/** The manifest, if the changeset is past the commit point and its stage still exists. */
function committed(disk: ModelDisk, id: string): Manifest | undefined {
  if (!isPrepared(disk)) return undefined;
  const text = disk.text(`${room}/${id}/manifest.json`);
  return text === undefined ? undefined : decodeManifest(new TextEncoder().encode(text));
}

type Damage = (disk: ModelDisk) => void;

/**
 * Damages each part of the stage in each way, and two parts at once where one alone does no harm. Also yields one case
 * without damage.
 */
function* damages(manifest: Manifest): Generator<[name: string, damage: Damage]> {
  const stage = `${room}/${manifest.id}`;
  yield ["sound", () => {}];
  const images = manifest.entries.flatMap(({ post }, number) => (post ? [`after/${number}`] : []));
  const saved = manifest.entries.some(({ pre }) => pre) ? ["before"] : [];
  for (const name of ["after", ...images, ...saved, "manifest.json"])
    for (const [kind, harm] of Object.entries(harms))
      yield [`${name} ${kind}`, (disk) => harm(disk, `${stage}/${name}`)];
  for (const name of saved)
    for (const [kind, harm] of Object.entries(harms))
      yield [
        `after missing, ${name} ${kind}`,
        (disk) => {
          harms.missing(disk, `${stage}/after`);
          harm(disk, `${stage}/${name}`);
        },
      ];
}

/** Does nothing if the path no longer exists. */
const harms = {
  changed: (disk, path) => rewritten(disk, path, (text) => `~${text.slice(1)}`),
  truncated: (disk, path) => rewritten(disk, path, (text) => text.slice(0, -1)),
  "written into": (disk, path) => {
    if (disk.text(path) !== undefined) disk.writeInto(path, "~");
  },
  missing: (disk, path) => {
    if (disk.find(path)) disk.remove(path);
  },
  "a folder": (disk, path) => {
    if (!disk.find(path)) return;
    disk.remove(path);
    disk.put(`${path}/x`, "x");
  },
  "a link": (disk, path) => {
    if (disk.find(path)) disk.makeLink(path, "/kept.txt");
  },
} satisfies Record<string, (disk: ModelDisk, path: string) => void>;

/** Puts a new file under the name, so that other names of the old file are not affected. */
function rewritten(disk: ModelDisk, path: string, change: (text: string) => string): void {
  const text = disk.text(path);
  if (text !== undefined && text !== "") disk.put(path, { mode: modeAt(disk, path), text: change(text) });
}

function modeAt(disk: ModelDisk, path: string): number {
  const node = disk.find(path);
  return node?.kind === "file" ? node.mode : 0;
}

interface Given {
  readonly random: Random;
  readonly program: Program;
  readonly scenario: Scenario;
  readonly step: Exclude<Step, "undo">;
  /** The file that somebody else changed. */
  readonly theirs: string | undefined;
  readonly manifest: Manifest;
  readonly damage: Damage;
  readonly where: string;
}

async function startDamaged(given: Given, crashed: ModelDisk, count: DamageCount): Promise<void> {
  const disk = crashed.clone();
  given.damage(disk);
  const found = new Map(Object.keys(given.step.files).map((path) => [path, disk.text(path)]));
  count.damaged++;
  await judge(given, { disk, found, isNested: false }, count);
}

/** Ends the first recovery of a damaged stage at each of its calls, and judges the next one. */
async function crashStart(given: Given, crashed: ModelDisk, count: DamageCount): Promise<void> {
  for (let call = 0; ; call++) {
    const disk = crashed.clone();
    given.damage(disk);
    const found = new Map(Object.keys(given.step.files).map((path) => [path, disk.text(path)]));
    const ended = await crashAt(disk, { call, part: 0 }, async () => {
      const started = await start(given, disk);
      if ("error" in started && isCrash(started.error)) throw started.error;
    });
    if (ended === "reached the end") return;
    const where = `${given.where}, then call ${call} of the recovery`;
    for (const after of disk.crashStates("weak", { limit: 3, seed: 1 })) {
      count.nested++;
      await judge({ ...given, where }, { disk: after, found, isNested: true }, count);
    }
  }
}

interface Damaged {
  readonly disk: ModelDisk;
  /** The texts of the changeset's files right after the damage. Text that is still the same was written by the damage. */
  readonly found: ReadonlyMap<string, string | undefined>;
  /** An earlier start may have reported the damage before it was ended. */
  readonly isNested: boolean;
}

async function judge(given: Given, damaged: Damaged, count: DamageCount): Promise<void> {
  const { disk } = damaged;
  const broken = (what: string): never => {
    throw new Violation(`${given.where}: ${what}`);
  };
  const before = treeOf(disk);
  const started = await start(given, disk);
  if (disk.handles !== 0) broken(`${disk.handles} handles were left open`);
  const odd = oddFiles(given, damaged, broken);
  for (const path of odd) mustBeSaved(given, { disk, path }, broken);
  if (!("error" in started)) {
    mustBeReported(given, { odd, recovered: started.recovered }, broken);
    if (odd.length === 0) mustHaveReason(given, { ...damaged, recovered: started.recovered }, broken);
    mustBeWhole(given, { disk, odd }, broken);
    // This costs as much as all the rest, so only a share is tried.
    if (given.random.chance(0.3)) await undoAndGoOn(given, disk, broken);
    return;
  }
  count.refused++;
  mustBeDamage(given, started.error, broken);
  if (isOfManifest(started.error) && treeOf(disk) !== before)
    broken("something was changed without a manifest");
  if (String(started.error).includes("was undone"))
    for (const path of odd) if (!hintOf(started.error).includes(path)) broken(`nobody is told of ${path}`);
  await putRight(given, { disk, odd }, broken);
}

type Started = { readonly recovered: readonly Recovered[] } | { readonly error: unknown };

async function start({ program }: Given, disk: ModelDisk): Promise<Started> {
  try {
    const changesets = await open(program, disk);
    changesets.history();
    changesets.close();
    return { recovered: changesets.recovered };
  } catch (error) {
    return { error };
  }
}

function hintOf(error: unknown): string {
  return (error as { problem?: { hint?: string } }).problem?.hint ?? "";
}

type Broken = (what: string) => never;

/**
 * The files that are neither as before nor as after. They may only be somebody else's edit, or what the damage itself
 * wrote into.
 */
function oddFiles({ scenario, step, theirs }: Given, { disk, found }: Damaged, broken: Broken): string[] {
  return Object.entries(step.files)
    .filter(([path, text]) => ![scenario.before[path], text].includes(disk.text(path)))
    .map(([path]) => {
      const isTheirs = path === theirs && disk.text(path) === editedText;
      const isOfDamage = disk.text(path) !== undefined && disk.text(path) === found.get(path);
      if (!isTheirs && !isOfDamage) broken(`${path} became ${JSON.stringify(disk.text(path))}`);
      return path;
    });
}

function mustBeSaved(
  { scenario, manifest, where }: Given,
  { disk, path }: { readonly disk: ModelDisk; readonly path: string },
  broken: Broken,
): void {
  const original = scenario.before[path];
  // A damaged original is not kept either, and a power cut may have undone a commit point that was not durable yet.
  if (original === undefined || / before /.test(where) || !isPrepared(disk)) return;
  const { offset = 0, pre } = manifest.entries.find((entry) => entry.path === path) ?? {};
  const saved = disk.text(`${room}/${manifest.id}/before`)?.slice(offset, offset + (pre?.size ?? 0));
  if (saved !== original) broken(`what ${path} was before is not kept`);
}

function mustBeReported(
  { step }: Given,
  { odd, recovered }: { readonly odd: readonly string[]; readonly recovered: readonly Recovered[] },
  broken: Broken,
): void {
  const told = recovered.find(({ id }) => id === step.id)?.left ?? [];
  // An earlier process may have ended it, and reported it then.
  if (recovered.length === 0) return;
  for (const path of odd) if (!told.includes(path)) broken(`nobody is told of ${path}`);
}

/**
 * Without somebody's edit, only damage can cause it to be taken back, and the start that finds the damage must report
 * it and stop.
 */
function mustHaveReason(
  { theirs, step }: Given,
  { isNested, recovered }: Damaged & { readonly recovered: readonly Recovered[] },
  broken: Broken,
): void {
  if (theirs !== undefined) return;
  for (const { outcome, reason } of recovered) {
    if (outcome === "finished") continue;
    if (!isNested || !reason?.includes(`${room}/${step.id}/`))
      broken("it was taken back, and nobody is told why");
  }
}

interface Judged {
  readonly disk: ModelDisk;
  /** The files that are neither as before nor as after. */
  readonly odd: readonly string[];
}

/** All files except the odd ones must be as before, or all as after. */
function mustBeWhole({ scenario, step }: Given, { disk, odd }: Judged, broken: Broken): void {
  const others = Object.entries(step.files).filter(([path]) => !odd.includes(path));
  const isBefore = others.every(([path]) => disk.text(path) === scenario.before[path]);
  const isAfter = others.every(([path, text]) => disk.text(path) === text);
  if (!isBefore && !isAfter) broken(`half of it is there, and nobody is told:\n${treeOf(disk)}`);
}

function mustBeDamage({ step }: Given, error: unknown, broken: Broken): void {
  const isNamed = (error as { code?: string }).code === "TXN_BLOB_MISSING";
  if (!isNamed || !String(error).includes(`${room}/${step.id}/`) || hintOf(error) === "")
    broken(`it fails without naming the damage: ${error}`);
}

/**
 * The damage is reported again until somebody restores the files by hand to what they were before. Then everything
 * works again.
 */
async function putRight(given: Given, { disk, odd }: Judged, broken: Broken): Promise<void> {
  const { scenario, step, theirs } = given;
  const again = await start(given, disk);
  if (!("error" in again)) {
    mustBeWhole(given, { disk, odd }, broken);
    return;
  }
  mustBeDamage(given, again.error, broken);
  if (isOfManifest(again.error)) return;
  for (const [path, text] of Object.entries(step.files)) {
    const before = scenario.before[path];
    if (path === theirs || disk.text(path) === before) continue;
    if (disk.text(path) === text && !String(again.error).includes(path))
      broken(`${path} could have been put back`);
    if (typeof before === "string") disk.put(path, before);
    else disk.remove(path);
  }
  const last = await start(given, disk);
  if ("error" in last) broken(`it does not start when all is put right: ${last.error}`);
}

function isOfManifest(error: unknown): boolean {
  return String(error).includes("manifest.json");
}

/** An undo that is impossible is refused with the reason and changes nothing. Everything else keeps working. */
async function undoAndGoOn(given: Given, disk: ModelDisk, broken: Broken): Promise<void> {
  const { program, scenario, step } = given;
  const changesets = await open(program, disk);
  const isApplied = changesets.history().some(({ id, state }) => id === step.id && state === "applied");
  const tree = treeOf(disk);
  const undone = isApplied ? await changesets.undo(step.id) : undefined;
  if (undone?.outcome === "refused") {
    const [problem] = undone.problems;
    const isRightly =
      problem?.code === "TXN_BLOB_MISSING"
        ? problem.message.includes(`${room}/${step.id}/`)
        : problem?.code === "UNDO_CHANGED";
    if (!isRightly || treeOf(disk) !== tree) broken(`an undo gave ${JSON.stringify(undone)}`);
  }
  if (undone?.outcome === "applied")
    for (const path of Object.keys(step.files))
      if (disk.text(path) !== scenario.before[path]) broken(`an undo made ${path} ${disk.text(path)}`);
  const next = await changesets.apply(proposalOf({ id: "next", files: { "next.txt": "next" } }, new Map()));
  if (next.outcome !== "applied") broken(`the next changeset was ${next.outcome}`);
  changesets.close();
}
