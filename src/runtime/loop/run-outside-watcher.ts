/**
 * The outside watcher of a real run: watches what the repository reports and the run's own folder. A file that we keep
 * there is recognised by the mark it had when we last wrote it; any other change was made by somebody else.
 *
 * The log is not watched: its writer notices any foreign write at its next append, and stops writing.
 */
import type { OutsideSnapshot, SeenPlace } from "../../git/repository.ts";
import { bytePath } from "../../world/files/byte-path.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import type { Archive } from "../folder/archive.ts";
import { roundNames } from "../folder/bounded-lines.ts";
import type { RunFolder } from "../folder/run-folder.ts";
import type { RunWorld } from "../run-world.ts";
import type { OutsideWatcher } from "./outside-watcher.ts";

/** Files that may change at any time: the journal, views that nobody reads back, and requests from people. */
const restless: ReadonlySet<string> = new Set(
  ["events.jsonl", "head", "lock", "state.json", "progress.md", "live.json", "inbox"].flatMap((name) => [
    name,
    `${name}.new`,
  ]),
);
/** Walking through more files would noticeably slow down each turn. */
const filesMax = 20_000;
const place = "the folder of the run";

export class RunOutsideWatcher implements OutsideWatcher {
  /** The mark of each file we stored, by name; undefined while it is being written. */
  readonly #left = new Map<string, string | undefined>();
  #isDistrusted = false;

  constructor(
    private readonly world: Pick<RunWorld, "machine" | "repository" | "trees">,
    private readonly folder: RunFolder,
  ) {}

  isNeeded(): boolean {
    return this.#isDistrusted || !this.world.machine.canConfine();
  }

  hasLayers(): boolean {
    return this.world.machine.hasLayers();
  }

  distrust(): void {
    this.#isDistrusted = true;
  }

  readonly archive: Archive = {
    keep: async (name, bytes) => {
      this.#left.set(name, undefined);
      await this.folder.keep(name, bytes);
      this.#left.set(name, this.#markOf(name));
    },
    find: (name) => this.folder.find(name),
    lines: (name, gap) => {
      const all = [name, ...roundNames(name)];
      for (const one of all) this.#left.set(one, undefined);
      const lines = this.folder.lines(name, gap);
      const end = () => {
        lines.end();
        for (const one of all) this.#left.set(one, this.#markOf(one));
      };
      return { add: (line) => lines.add(line), end };
    },
  };

  async snapshot({
    desks,
    since,
  }: {
    desks: readonly string[];
    since?: OutsideSnapshot;
  }): Promise<OutsideSnapshot> {
    const { run } = this.folder;
    const own = this.#lookAtFolder(since?.get(place));
    const snapshot = await this.world.repository.look({ desks: desks.map((name) => ({ run, name })) });
    return own ? new Map([...snapshot, [place, own]]) : snapshot;
  }

  #lookAtFolder(since: SeenPlace | undefined): SeenPlace | undefined {
    const found = filesBelow(this.world.trees, this.folder.path);
    if (!found) return undefined;
    const marks = new Map<string, string>();
    for (const name of new Set([...found, ...this.#left.keys()])) {
      const mark = this.#isOurs(name) ? since?.marks.get(this.#pathOf(name)) : this.#markOf(name);
      if (mark !== undefined) marks.set(this.#pathOf(name), mark);
    }
    return { isUsers: false, marks };
  }

  /** The file is as we left it, or we are writing it now. */
  #isOurs(name: string): boolean {
    if (!this.#left.has(name)) return false;
    const left = this.#left.get(name);
    return left === undefined || left === this.#markOf(name);
  }

  #markOf(name: string): string {
    return this.world.trees.mark(bytePath(this.#pathOf(name))) ?? "gone";
  }

  #pathOf(name: string): string {
    return `${this.folder.path}/${name}`;
  }
}

/** Undefined if there are too many files. */
function filesBelow(trees: FolderTrees, root: string): string[] | undefined {
  const found: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const at = bytePath(`${root}${folder === "" ? "" : `/${folder}`}`);
    for (const { name: bytes, kind } of trees.look(at)?.kind === "folder" ? trees.list(at) : []) {
      const name = Buffer.from(bytes, "latin1").toString("utf8");
      if (folder === "" && restless.has(name)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (kind === "folder") folders.push(path);
      else if (!name.endsWith(".new")) found.push(path);
      if (found.length > filesMax) return undefined;
    }
  }
  return found;
}
