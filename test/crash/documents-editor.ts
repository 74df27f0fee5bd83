/**
 * Lets somebody else work on the documents at every call of a change: a person whose editor saves, with or without a
 * kill right after it; and somebody who deletes the lock, so that a second process writes too.
 *
 * What they wrote must be there in the end, and so must what we acknowledged. One instant is out of our control and is
 * counted: a document saved between our last check and the renames, which follow at once.
 */
import { fileOf } from "../../src/document/address.ts";
import {
  a,
  active,
  archived,
  author,
  type DocumentsProgram,
  deciding,
  documentsOn,
  openDocuments,
} from "./documents-life.ts";
import { isCrash, Violation } from "./explore.ts";
import { Crash } from "./faults.ts";
import { ModelDisk } from "./model-disk.ts";

const theirs = "THEIRS\n";
const placing = /^(rename|link|unlink) /;
const fresh = "/folder/new.md" as typeof a;

type EditorSave = "writes into" | "replaces" | "removes";

export interface Edited {
  edits: number;
  /** Edits made in the one instant in which they are lost. */
  lost: number;
}

const changes = [
  { edited: a, step: { [a]: "add" } },
  { edited: active, step: { [archived]: "add", [active]: "remove" } },
  { edited: active, step: { [a]: "add", [active]: "add" } },
  { edited: fresh, step: { [active]: "add", [fresh]: "add" } },
] as const;

export async function editDocumentsMeanwhile(program: DocumentsProgram): Promise<Edited> {
  const edited: Edited = { edits: 0, lost: 0 };
  for (const change of changes)
    for (const saving of ["writes into", "replaces", "removes"] as const)
      for (const isKilled of [false, true])
        for (let call = 0; ; call++) {
          const run = await changeWithEdit(program, { ...change, saving, call, isKilled });
          if (run === "over") break;
          edited.edits++;
          if (isKept(run.disk, change.edited, saving)) continue;
          // Creating a document never replaces anything.
          if (!placing.test(run.during) || change.edited === fresh)
            throw new Violation(
              `somebody ${saving} ${change.edited} at call ${call} (${run.during})${isKilled ? ", then a kill" : ""}: it is lost`,
            );
          edited.lost++;
        }
  return edited;
}

interface Edit {
  readonly edited: typeof a;
  readonly step: Readonly<Record<string, "add" | "remove">>;
  readonly saving: EditorSave;
  readonly call: number;
  readonly isKilled: boolean;
}

async function changeWithEdit(
  program: DocumentsProgram,
  { edited, step, saving, call, isKilled }: Edit,
): Promise<{ disk: ModelDisk; during: string } | "over"> {
  const disk = twoDocuments();
  const file = `.coxswain/${fileOf(edited)}`;
  let during: string | undefined;
  disk.onCall = (name, index, about) => {
    if (index === call + 1 && isKilled) throw new Crash();
    if (index !== call) return;
    during = `${name} ${about}`;
    save(disk, file, saving);
  };
  await changeOnce(program, disk, step).catch((error) => {
    if (!isCrash(error)) throw error;
  });
  disk.onCall = undefined;
  if (during === undefined) return "over";
  if (!isKilled) await holdRecorded(program, disk, `somebody ${saving} ${edited} at call ${call}`);
  const [after = disk] = disk.crashStates("kill", { limit: 1, seed: 1 });
  await changeOnce(program, after, { "/next.md": "add" });
  return { disk: after, during };
}

function save(disk: ModelDisk, file: string, saving: EditorSave): void {
  const text = disk.text(file);
  if (saving === "removes") {
    if (text !== undefined) disk.remove(file);
  } else if (saving === "replaces" || text === undefined) disk.put(file, theirs);
  else disk.writeInto(file, theirs);
}

/** However often the change was decided, it must be recorded once. */
async function holdRecorded(program: DocumentsProgram, disk: ModelDisk, where: string): Promise<void> {
  const store = openDocuments(program, disk);
  const { length } = store.history();
  await store.close();
  if (length !== 1) throw new Violation(`${where}: the history tells of ${length} changes`);
}

/**
 * The edit counts wherever our own change moved it. A document that they removed may be created again, but not with its
 * old text.
 */
function isKept(disk: ModelDisk, edited: typeof a, saving: EditorSave): boolean {
  if (saving === "removes") return !disk.text(`.coxswain/${fileOf(edited)}`)?.includes("base");
  return [...documentsOn(disk).values()].some((text) => text.includes(theirs));
}

/** Deletes the lock at each call of a change, and lets a second process make its own change. */
export async function loseLock(program: DocumentsProgram): Promise<{ lost: number }> {
  for (let call = 0; ; call++) {
    const disk = twoDocuments();
    const store = openDocuments(program, disk, "one");
    const other = openDocuments(program, disk, "two");
    await store.change(author, deciding("first", { [a]: "add" }));
    const begun = disk.calls;
    let meanwhile: Promise<unknown> | undefined;
    disk.onCall = (_, index) => {
      if (index !== begun + call) return;
      disk.remove(".coxswain/documents/lock");
      meanwhile = other.change(author, deciding("theirs", { [a]: "add" }));
    };
    await store.change(author, deciding("ours", { [a]: "add", [active]: "add" }));
    disk.onCall = undefined;
    await meanwhile;
    await store.close();
    await other.close();
    if (!meanwhile) return { lost: call };
    await holdOnce(program, disk, `the lock is deleted at call ${call}`);
  }
}

async function holdOnce(program: DocumentsProgram, disk: ModelDisk, where: string): Promise<void> {
  const store = openDocuments(program, disk);
  const deeds = store.history().map(({ about }) => about);
  await store.close();
  const text = disk.text(`.coxswain/${fileOf(a)}`) ?? "";
  for (const about of ["first", "ours", "theirs"]) {
    const records = deeds.filter((one) => one === about).length;
    const lines = text.split("\n").filter((line) => line === about).length;
    if (records !== 1 || lines !== 1)
      throw new Violation(`${where}: '${about}' is recorded ${records} times and there ${lines} times`);
  }
}

/** The next process must not repeat a change that a person undid after it was acknowledged. */
export async function takeBackByHand(program: DocumentsProgram): Promise<void> {
  const disk = twoDocuments();
  const file = `.coxswain/${fileOf(a)}`;
  const before = disk.text(file) ?? "";
  const store = openDocuments(program, disk);
  await store.change(author, deciding("ours", { [a]: "add" }));
  const [after = disk] = disk.crashStates("kill", { limit: 1, seed: 1 });
  after.put(file, before);
  await changeOnce(program, after, { "/next.md": "add" });
  await store.close().catch(() => undefined);
  if (after.text(file) !== before) throw new Violation("what a person took back was done again");
}

/** Two long-lived processes: each releases the lock when it is idle, and sees what the other did. */
export async function takeTurns(program: DocumentsProgram): Promise<void> {
  const disk = twoDocuments();
  const stores = ["one", "two"].map((id) => openDocuments(program, disk, id));
  const turns = [0, 1, 2, 3, 4, 5];
  for (const turn of turns) await stores[turn % 2]?.change(author, deciding(`turn ${turn}`, { [a]: "add" }));
  const told = stores[0]?.history().map(({ about }) => about) ?? [];
  for (const store of stores) await store.close();
  const text = disk.text(`.coxswain/${fileOf(a)}`);
  if (
    told.join() !== turns.map((turn) => `turn ${turn}`).join() ||
    !turns.every((turn) => text?.includes(`turn ${turn}\n`))
  )
    throw new Violation(`of ${turns.length} turns ${told} are told, and there is ${text}`);
}

async function changeOnce(
  program: DocumentsProgram,
  disk: ModelDisk,
  step: Readonly<Record<string, "add" | "remove">>,
): Promise<void> {
  const store = openDocuments(program, disk, `once-${disk.calls}`);
  try {
    await store.change(author, deciding("ours", step));
  } finally {
    await store.close().catch(() => undefined);
  }
}

function twoDocuments(): ModelDisk {
  return ModelDisk.of({
    [`.coxswain/${fileOf(a)}`]: "base a\n",
    [`.coxswain/${fileOf(active)}`]: "base list\n",
  });
}
