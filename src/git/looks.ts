/**
 * A look at what lies outside the desks: the user's checkout, refs and settings, and desks that nobody works at. Two looks
 * are compared to see what was written in between by somebody whom nothing held to a desk.
 *
 * It costs two git processes and a `stat` for each file that is named; no content is read but that of git's own small
 * files. What the user ignores is not looked at.
 */
import { type BytePath, bytePath } from "../world/byte-path.ts";
import type { FolderTrees, TreeEntry } from "../world/folder-trees.ts";
import { sha256 } from "../world/hash.ts";
import { breather } from "./breather.ts";
import { type GitCommand, linesOf } from "./git-command.ts";
import { deskFolder, type Place } from "./place.ts";
import type { Desk, SeenPlace, Sight } from "./repository.ts";
import type { UserSettings } from "./user-settings.ts";

interface Looking {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: Place;
  readonly settings: UserSettings;
}

const programs = "what decides which programs git starts";

export class Looks {
  /** As it was at the first look: what was planted since would be started by our own question. */
  #trusted: SeenPlace | undefined;

  constructor(private readonly world: Looking) {}

  async look({ desks }: { readonly desks: readonly Pick<Desk, "run" | "name">[] }): Promise<Sight> {
    const { world } = this;
    const first = seenPrograms(world);
    this.#trusted ??= first;
    const sight = new Map<string, SeenPlace>([[programs, first]]);
    if (isSame(this.#trusted.marks, first.marks)) {
      sight.set("your refs and remotes", await seenRefs(world));
      sight.set("your checkout", await seenCheckout(world));
    }
    for (const desk of desks) {
      const seen = await seenDesk(world, desk);
      if (seen) sight.set(`the desk ${desk.name}`, seen);
    }
    return sight;
  }
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([path, mark]) => other.get(path) === mark);
}

/** Configuration, hooks, attributes, alternates: the user's, and our own. */
function seenPrograms(world: Looking): SeenPlace {
  const { trees, place } = world;
  const { gitDir, commonDir, objects, home } = place;
  const marks = new Map<string, string>();
  for (const path of [`${commonDir}/config`, `${gitDir}/config.worktree`])
    put(marks, path, sha256(withoutBookkeeping(textAt(trees, path))));
  const small = ["info/attributes", "info/exclude", "info/grafts"].map((name) => `${commonDir}/${name}`);
  const ours = [`${home}/config`, `${home}/HEAD`, `${home}/info/attributes`];
  for (const path of [...small, `${objects}/info/alternates`, ...ours])
    put(marks, path, sha256(textAt(trees, path)));
  const hooks = hooksFolder(world);
  for (const { name } of entriesIn(trees, bytePath(hooks)))
    put(marks, `${hooks}/${shown(name)}`, trees.mark(at(hooks, name)));
  return { isUsers: false, marks };
}

/** git and editors write down by themselves which branch belongs to which remote; of that, no program is started. */
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

function hooksFolder({ place, settings }: Looking): string {
  const path = settings.all.get("core.hookspath");
  if (path === undefined) return `${place.commonDir}/hooks`;
  return path.startsWith("/") ? path : `${place.root}/${path}`;
}

/** One process. Not those of runs: they are moved by whoever runs them, from where they must be. */
async function seenRefs({ git, trees, place }: Looking): Promise<SeenPlace> {
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
  // A stash below the newest one has no ref.
  put(marks, "refs/stash", `${marks.get("refs/stash")} ${stashed}`);
  return { isUsers: true, marks };
}

/** One process. What git takes to be as the index has it is not listed; of the rest, what stands there is marked. */
async function seenCheckout({ git, trees, place }: Looking): Promise<SeenPlace> {
  const marks = new Map<string, string>();
  for (const { row, path } of await changedRows(git))
    put(marks, shown(path), `${row} ${trees.mark(at(place.root, path))}`);
  return { isUsers: true, marks };
}

/** One process. */
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

/** `1 XY SUB MODE MODE MODE OID OID PATH`, one field and one mode more for what is unmerged, `? PATH`. */
function pathOf(row: string): BytePath {
  const fieldsBefore = row.startsWith("? ") ? 1 : row.startsWith("u ") ? 10 : 8;
  let space = -1;
  for (let field = 0; field < fieldsBefore; field++) space = row.indexOf(" ", space + 1);
  return row.slice(space + 1) as BytePath;
}

/** A walk through more than this would be felt at each turn. */
const entriesMax = 20_000;

/** Without what no capture takes: git directories, and what package managers put there. */
async function seenDesk(
  { trees, place }: Looking,
  { run, name }: Pick<Desk, "run" | "name">,
): Promise<SeenPlace | undefined> {
  const desk = deskFolder(place, run, name);
  const marks = new Map<string, string>();
  const breathe = breather();
  const folders = ["" as BytePath];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name: entry, kind } of entriesIn(trees, at(desk, folder))) {
      await breathe();
      const path = (folder === "" ? entry : `${folder}/${entry}`) as BytePath;
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
  return (path === "" ? bytePath(folder) : `${bytePath(folder)}/${path}`) as BytePath;
}

function shown(path: BytePath): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** Nothing there, and whatever is no small file, says nothing. */
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
