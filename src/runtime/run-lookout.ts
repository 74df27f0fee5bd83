/**
 * The lookout of a real run: what the repository sees, and the run's own folder. What we keep there ourselves is known by
 * the mark it had when we left it; whatever else happens to a file there is somebody else's doing.
 *
 * The log is not looked at: its writer notices any other at the next word, and writes nothing more.
 */
import type { SeenPlace, Sight } from "../git/repository.ts";
import { bytePath } from "../world/byte-path.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import type { Archive } from "./archive.ts";
import { roundNames } from "./bounded-lines.ts";
import type { Lookout } from "./lookout.ts";
import type { RunFolder } from "./run-folder.ts";
import type { RunWorld } from "./run-world.ts";

/** Written at any time: by the journal, by views that nobody reads back, by people who ask for something. */
const restless: ReadonlySet<string> = new Set(
  ["events.jsonl", "head", "lock", "state.json", "progress.md", "live.json", "inbox"].flatMap((name) => [
    name,
    `${name}.new`,
  ]),
);
/** A walk through more than this would be felt at each turn. */
const filesMax = 20_000;
const place = "the folder of the run";

export class RunLookout implements Lookout {
  /** By name, the mark of what we kept; nothing while it is being written. */
  readonly #left = new Map<string, string | undefined>();
  #isDistrusted = false;

  constructor(
    private readonly world: Pick<RunWorld, "machine" | "repository" | "trees">,
    private readonly folder: RunFolder,
  ) {}

  isNeeded(): boolean {
    return this.#isDistrusted || !this.world.machine.canConfine();
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

  async look({ desks, since }: { desks: readonly string[]; since?: Sight }): Promise<Sight> {
    const { run } = this.folder;
    const own = this.#lookAtFolder(since?.get(place));
    const sight = await this.world.repository.look({ desks: desks.map((name) => ({ run, name })) });
    return own ? new Map([...sight, [place, own]]) : sight;
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

  /** It is as we left it, or we are about to write it. */
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

/** Nothing when there are too many. */
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
