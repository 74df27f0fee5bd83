/**
 * Takes a snapshot of what lies outside the desks: the user's checkout, refs and settings, and desks that nobody is
 * working at. Comparing two snapshots shows what was written in between by a process that no sandbox confined.
 *
 * It costs two git processes and one `stat` per listed file; only git's own small files are read. Files that the user
 * ignores are not included.
 */
import { type BytePath, bytePath, joinBytePath, noPath, rawBytePath } from "../../world/files/byte-path.ts";
import { sha256 } from "../../world/files/hash.ts";
import type { FolderTrees, TreeEntry } from "../../world/folders/folder-trees.ts";
import { breather } from "../breather.ts";
import { type CheckoutPaths, deskFolder } from "../command/checkout-paths.ts";
import { type GitCommand, linesOf } from "../command/git-command.ts";
import type { Home } from "../command/home.ts";
import type { UserSettings } from "../command/user-settings.ts";
import type { Desk, OutsideSnapshot, SeenPlace } from "../repository.ts";

interface SnapshotPorts {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: CheckoutPaths;
  readonly settings: UserSettings;
  readonly home: Home;
}

const programs = "what decides which programs git starts";

export class OutsideSnapshots {
  /**
   * What decided which programs git starts, at the first snapshot. If it has changed, git is not asked any more: our
   * own call would start a planted program.
   */
  #trusted: SeenPlace | undefined;

  constructor(private readonly world: SnapshotPorts) {}

  async look({ desks }: { readonly desks: readonly Pick<Desk, "run" | "name">[] }): Promise<OutsideSnapshot> {
    const { world } = this;
    const first = seenPrograms(world);
    this.#trusted ??= first;
    const snapshot = new Map<string, SeenPlace>([[programs, first]]);
    if (isSame(this.#trusted.marks, first.marks)) {
      snapshot.set("your refs and remotes", await seenRefs(world));
      snapshot.set("your checkout", await seenCheckout(world));
    }
    for (const desk of desks) {
      const seen = await seenDesk(world, desk);
      if (seen) snapshot.set(`the desk ${desk.name}`, seen);
    }
    return snapshot;
  }
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([path, mark]) => other.get(path) === mark);
}

/** Configuration, hooks, attributes, alternates: the user's, and our own. */
function seenPrograms(world: SnapshotPorts): SeenPlace {
  const { trees, place, home } = world;
  const { gitDir, commonDir, objects } = place;
  const marks = new Map<string, string>();
  for (const path of [`${commonDir}/config`, `${gitDir}/config.worktree`])
    put(marks, path, sha256(withoutBookkeeping(textAt(trees, path))));
  const small = ["info/attributes", "info/exclude", "info/grafts"].map((name) => `${commonDir}/${name}`);
  for (const path of [...small, `${objects}/info/alternates`]) put(marks, path, sha256(textAt(trees, path)));
  const ours = home.findChange();
  if (ours !== undefined) put(marks, ours, "not as we made it");
  const hooks = hooksFolder(world);
  for (const { name } of entriesIn(trees, bytePath(hooks)))
    put(marks, `${hooks}/${shown(name)}`, trees.mark(at(hooks, name)));
  return { isUsers: false, marks };
}

/** Drops what git and editors record by themselves: which branch belongs to which remote. It starts no program. */
function withoutBookkeeping(config: string): string {
  let section = "";
  const kept = config.split("\n").filter((line) => {
    if (line.trim() === "") return false;
    section = /^\s*\[\s*([\w-]+)/.exec(line)?.[1]?.toLowerCase() ?? section;
    if (section === "remote") return /\b(uploadpack|receivepack|vcs|proxy)/i.test(line);
    return section !== "branch";
  });
  return kept.join("\n");
}

function hooksFolder({ place, settings }: SnapshotPorts): string {
  const path = settings.all.get("core.hookspath");
  if (path === undefined) return `${place.commonDir}/hooks`;
  return path.startsWith("/") ? path : `${place.root}/${path}`;
}

/**
 * Costs one git process. Refs of runs are left out: their own coordinators move them, and only from the expected value.
 */
async function seenRefs({ git, trees, place }: SnapshotPorts): Promise<SeenPlace> {
  const { stdout } = await git.user(["for-each-ref", "--format=%(objectname) %(refname)"]);
  const marks = new Map<string, string>();
  for (const line of linesOf(stdout)) {
    const [oid = "", ref = ""] = [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)];
    if (!/^refs\/(coxswain|heads\/cox)\//.test(ref)) put(marks, ref, oid);
  }
  put(marks, "HEAD", textAt(trees, `${place.gitDir}/HEAD`));
  const config = `${place.commonDir}/config`;
  put(marks, config, sha256(textAt(trees, config)));
  const stashed = trees.mark(bytePath(`${place.commonDir}/logs/refs/stash`));
  // Only the newest stash has a ref.
  put(marks, "refs/stash", `${marks.get("refs/stash")} ${stashed}`);
  return { isUsers: true, marks };
}

/**
 * Costs one git process. Files that git considers unchanged from the index are not listed; for the rest, what is there
 * is marked.
 */
async function seenCheckout({ git, trees, place }: SnapshotPorts): Promise<SeenPlace> {
  const marks = new Map<string, string>();
  for (const { row, path } of await changedRows(git))
    put(marks, shown(path), `${row} ${trees.mark(at(place.root, path))}`);
  return { isUsers: true, marks };
}

/** Costs one git process. */
export async function uncommittedPaths(git: GitCommand): Promise<string[]> {
  return (await changedRows(git)).map(({ path }) => shown(path));
}

async function changedRows(git: GitCommand): Promise<{ row: string; path: BytePath }[]> {
  const args = [
    "status",
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=all",
  ];
  const rows = Buffer.from((await git.user(args)).stdout)
    .toString("latin1")
    .split("\0");
  return rows.filter((row) => row !== "").map((row) => ({ row, path: pathOf(row) }));
}

/** `1 XY SUB MODE MODE MODE OID OID PATH`, with one more mode and one more object id if unmerged, or `? PATH`. */
function pathOf(row: string): BytePath {
  const fieldsBefore = row.startsWith("? ") ? 1 : row.startsWith("u ") ? 10 : 8;
  let space = -1;
  for (let field = 0; field < fieldsBefore; field++) space = row.indexOf(" ", space + 1);
  return rawBytePath(row.slice(space + 1));
}

/** A longer walk would noticeably slow down each turn. */
const entriesMax = 20_000;

/** Leaves out what no capture takes: git directories, and what package managers install. */
async function seenDesk(
  { trees, place }: SnapshotPorts,
  { run, name }: Pick<Desk, "run" | "name">,
): Promise<SeenPlace | undefined> {
  const desk = deskFolder(place, run, name);
  const marks = new Map<string, string>();
  const breathe = breather();
  const folders = [noPath];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name: entry, kind } of entriesIn(trees, at(desk, folder))) {
      await breathe();
      const path = joinBytePath(folder, entry);
      if (entry === ".git" || entry === "node_modules") continue;
      if (kind === "folder") folders.push(path);
      else put(marks, `${desk}/${shown(path)}`, trees.mark(at(desk, path)));
      if (marks.size > entriesMax) return undefined;
    }
  }
  return { isUsers: false, marks };
}

function put(marks: Map<string, string>, path: string, mark: string | undefined): void {
  if (mark !== undefined) marks.set(path, mark);
}

function at(folder: string, path: BytePath): BytePath {
  return joinBytePath(bytePath(folder), path);
}

function shown(path: BytePath): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** The text of a small file; for anything else, or nothing, only its kind and mark. */
function textAt(trees: FolderTrees, path: string): string {
  const found = trees.look(bytePath(path));
  if (found?.kind !== "file" || found.size > textBytesMax)
    return `${found?.kind} ${trees.mark(bytePath(path))}`;
  return Buffer.from(trees.read(bytePath(path))).toString("latin1");
}

const textBytesMax = 1 << 20;

function entriesIn(trees: FolderTrees, folder: BytePath): TreeEntry[] {
  return trees.look(folder)?.kind === "folder" ? trees.list(folder) : [];
}
