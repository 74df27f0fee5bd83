/**
 * Mistakes that a careful person could make in the protocol, each sown into a copy of the sources and caught by the
 * layer named with it. A check that has never failed proves nothing.
 */
import type { LayerName } from "./layers.ts";

export interface Mistake {
  readonly name: string;
  /** Below `src/`. */
  readonly file: string;
  /** Must occur there exactly once. */
  readonly find: string;
  readonly put: string;
  readonly caughtBy: LayerName;
}

export const mistakes: readonly Mistake[] = [
  {
    name: "the staged files are not synced",
    file: "changeset/stage.ts",
    find: "await tree.files.syncAll(written.map(({ file }) => file));",
    put: "",
    caughtBy: "weak",
  },
  {
    name: "the names in the stage are not synced",
    file: "changeset/stage.ts",
    find: "files.syncAll([file, after, folder, changesetsFolder.handle])",
    put: "files.syncAll([file])",
    caughtBy: "weak",
  },
  {
    name: "the manifest is not synced",
    file: "changeset/stage.ts",
    find: "files.syncAll([file, after, folder, changesetsFolder.handle])",
    put: "files.syncAll([after, folder, changesetsFolder.handle])",
    caughtBy: "weak",
  },
  {
    name: "the saved files are not synced",
    file: "changeset/stage.ts",
    find: "await tree.files.syncAll([pack]);",
    put: "",
    caughtBy: "weak",
  },
  {
    name: "the ledger's record is not synced",
    file: "durable/log.ts",
    find: "      this.opening.files.sync(this.file);\n",
    put: "",
    caughtBy: "ordered",
  },
  {
    name: "recovery acts on a record that is only in the page cache",
    file: "durable/recover-log.ts",
    find: "files.sync(file);\n",
    put: "",
    caughtBy: "nested",
  },
  {
    name: "the user's folders are not synced before the end is recorded",
    file: "changeset/carry-out.ts",
    find: "await syncFolders(changesetsFolder.tree, manifest);",
    put: "",
    caughtBy: "ordered",
  },
  {
    name: "only the folders of files are synced, not those above new folders",
    file: "changeset/carry-out.ts",
    find: "for (const path of [...folders, ...emptied, ...entries.map(({ path }) => path)])",
    put: "for (const path of entries.map(({ path }) => path))",
    caughtBy: "weak",
  },
  {
    name: "placing a file removes it from the stage",
    file: "changeset/exchange.ts",
    find: "tree.files.link(image.folder, image.name, place.folder, place.name);",
    put: "tree.files.rename(image.folder, image.name, place.folder, place.name);",
    caughtBy: "weak",
  },
  {
    name: "the staged files are removed before the files are durable in their place",
    file: "changeset/carry-out.ts",
    find: "await syncFolders(changesetsFolder.tree, manifest);",
    put: "changesetsFolder.dropAllButUndo(stage);\n    await syncFolders(changesetsFolder.tree, manifest);",
    caughtBy: "weak",
  },
  {
    name: "the end of a taken-back changeset is not recorded",
    file: "changeset/changesets.ts",
    find: 'this.ledger.record(this.#now(), { event: "changeset_restored", data: { id, left } });',
    put: "",
    caughtBy: "promises",
  },
  {
    name: "a changeset left half done is not recovered",
    file: "changeset/changesets.ts",
    find: 'if (changeset.state === "prepared") await this.#recoverForward(changeset);\n      else ',
    put: "",
    caughtBy: "kill",
  },
  {
    name: "a changeset that is being taken back is finished after all",
    file: "changeset/changesets.ts",
    find: 'else if (changeset.state === "aborted") await this.#recoverBack(changeset);',
    put: 'else if (changeset.state === "aborted") await this.#recoverForward(changeset);',
    caughtBy: "promises",
  },
  {
    name: "a folder of changesets that a killed process left half made is used as it is",
    file: "changeset/changesets-folder.ts",
    find: "const changesetsFolder = ChangesetsFolder.open(tree) ?? ChangesetsFolder.#make(tree);\n    if (!changesetsFolder.#isFinished()) await changesetsFolder.#finish();",
    put: "const found = ChangesetsFolder.open(tree);\n    const changesetsFolder = found ?? ChangesetsFolder.#make(tree);\n    if (!found) await changesetsFolder.#finish();",
    caughtBy: "nested",
  },
  {
    name: "the commit point is recorded before the stage is written",
    file: "changeset/changesets.ts",
    find: "      staged = await stage(this.changesetsFolder, proposal, at, observer);\n",
    put: '      const early = { id, manifest: "", files: proposal.changes.length };\n      this.ledger.record(at, { event: "changeset_prepared", data: early });\n      staged = await stage(this.changesetsFolder, proposal, at, observer);\n',
    caughtBy: "kill",
  },
  {
    name: "a file is replaced whatever its content",
    file: "changeset/exchange.ts",
    find: "if (!look.opened || !isThere(look, from)) throw new Conflict(path, from, look.found);",
    put: "if (!look.opened) return;",
    caughtBy: "editor",
  },
  {
    name: "a new file replaces what has appeared at its name",
    file: "changeset/exchange.ts",
    find: "tree.files.link(image.folder, image.name, place.folder, place.name);",
    put: "tree.files.rename(stage, spare(given, image), place.folder, place.name);",
    caughtBy: "editor",
  },
  {
    name: "it is not checked whether the replaced file was written to meanwhile",
    file: "changeset/exchange.ts",
    find: "if (!wasWritten(tree.files.statOf(opened.file), opened.stat)) return;",
    put: "return;",
    caughtBy: "editor",
  },
  {
    name: "after a conflict the files already placed stay",
    file: "changeset/changesets.ts",
    find: "const entries = await carryBack(this.changesetsFolder, manifest);",
    put: "const entries: Entry[] = [];",
    caughtBy: "editor",
  },
  {
    name: "a failed sync is tried again",
    file: "durable/guard.ts",
    find: "    failed ??= new DiskFailed(error);\n    throw failed;",
    put: "    throw error;",
    caughtBy: "faults",
  },
  {
    name: "a torn tail is not cut off",
    file: "durable/recover-log.ts",
    find: "if (end.offset < size) notes.push(cut(opening, file, { end, size }));",
    put: "",
    caughtBy: "kill",
  },
  {
    name: "what was written is not read back",
    file: "changeset/changesets.ts",
    find: "const wrong = verify(this.changesetsFolder.tree, manifest.entries);",
    put: "const wrong: string[] = [];",
    caughtBy: "promises",
  },
  {
    name: "what was staged is not read back before the commit point",
    file: "changeset/stage.ts",
    find: "if (Buffer.compare(found, bytes) !== 0) throw new ReadBackError(path);",
    put: "",
    caughtBy: "promises",
  },
  {
    name: "an id that was applied is applied again",
    file: "changeset/changesets.ts",
    find: 'if (changeset?.state === "applied") return { outcome: "duplicate", id };',
    put: "",
    caughtBy: "promises",
  },
  {
    name: "an undo does not check whether the files changed since",
    file: "changeset/undo.ts",
    find: "if (isThere(look, post)) return undefined;",
    put: "return undefined;",
    caughtBy: "promises",
  },
  {
    name: "the mode of a file is not kept",
    file: "changeset/stage.ts",
    find: "tree.files.chmod(file, change.post.mode);",
    put: "",
    caughtBy: "promises",
  },
  {
    name: "a lock that was removed still counts",
    file: "changeset/changesets.ts",
    find: "if (!this.lock.isStillOurs()) return refused(lockLost());",
    put: "",
    caughtBy: "promises",
  },
  {
    name: "a staged file is placed without checking its hash",
    file: "changeset/staged-image.ts",
    find: "return sha256(bytes) === image.sha256 ? bytes : undefined;",
    put: "return bytes;",
    caughtBy: "damage",
  },
  {
    name: "a saved file is put back without checking its hash",
    file: "changeset/staged-image.ts",
    find: "return sha256(bytes) === pre.sha256 ? bytes : undefined;",
    put: "return bytes;",
    caughtBy: "damage",
  },
  {
    name: "a manifest is used without checking its hash",
    file: "changeset/changesets-folder.ts",
    find: "if (sha256(bytes) !== manifest) throw manifestDamaged(id, manifestName);",
    put: "",
    caughtBy: "damage",
  },
  {
    name: "the saved files are removed although one file was left alone",
    file: "changeset/changesets.ts",
    find: "if (left.length > 0) this.#tidyUp(id);\n      else this",
    put: "this",
    caughtBy: "damage",
  },
  {
    name: "the next start removes the saved version of a file that was left alone",
    file: "changeset/changesets.ts",
    find: "if (changeset && isKept(changeset)) this.#tidyUp(id);\n      else if",
    put: "if",
    caughtBy: "damage",
  },
  {
    name: "a damaged stage is taken back without a report",
    file: "changeset/changesets.ts",
    find: "if (damage) throw",
    put: "if (false) throw",
    caughtBy: "damage",
  },
  {
    name: "one damaged saved file keeps the others from being put back",
    file: "changeset/carry-out.ts",
    find: "else if (error instanceof StageDamaged) lost.push(path);",
    put: "",
    caughtBy: "damage",
  },
];
