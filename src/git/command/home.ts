/**
 * Our own git directory in the cache folder: a configuration, ignore rules and attributes, but no refs, remotes or
 * hooks.
 *
 * It is named after its contents and never changed. Different settings get a different directory, so no `cox` changes
 * it under another one that is running. Before each use, everything that git could obey there is compared with what we
 * wrote: without a sandbox an agent can write there, and the coordinator's git would run a filter from it. The
 * comparison takes less than 0.5 ms of processor time, measured on a busy machine; a git process takes several.
 */
import { oneLine } from "../../std/printable.ts";
import { bytePath } from "../../world/files/byte-path.ts";
import { errnoOf } from "../../world/files/errno.ts";
import { sha256 } from "../../world/files/hash.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import type { CheckoutPaths } from "./checkout-paths.ts";
import { configText } from "./config-text.ts";
import type { UserSettings } from "./user-settings.ts";

export interface Home {
  /** The git directory. */
  readonly folder: string;
  /** The first path that is not as we made it; undefined when everything is. */
  findChange(): string | undefined;
  /** Throws GIT_HOME_CHANGED when something is not as we made it. */
  check(): void;
}

/**
 * Anything that is not as it should be is made again, because nothing in this process has used it yet. Costs no git
 * process.
 */
export async function makeHome(
  trees: FolderTrees,
  place: CheckoutPaths,
  settings: UserSettings,
): Promise<Home> {
  const { home, objects } = place;
  for (const folder of ["objects/info", "desks", "scratch", "git"])
    trees.makeFolder(bytePath(`${home}/${folder}`));
  const alternates = { path: `${home}/objects/info/alternates`, bytes: Buffer.from(alternatesText(objects)) };
  if (!isAsWritten(trees, alternates.path, alternates.bytes))
    trees.write(bytePath(alternates.path), alternates.bytes);

  const contents = contentsOf(trees, place, settings);
  const folder = `${home}/git/${digestOf(configText(place, settings.bytes), contents)}`;
  const files = filesOf(place, { folder, contents, settings });
  const findChange = () =>
    changedIn(trees, folder, files) ?? changedAlternates(trees, `${home}/objects`, alternates.bytes);
  if (findChange() !== undefined) {
    await trees.remove(bytePath(folder));
    await removeOthers(trees, `${home}/objects`);
    write(trees, folder, files);
  }
  const check = () => {
    const path = findChange();
    if (path !== undefined) throw homeChanged(path);
  };
  check();
  return { folder, findChange, check };
}

/** One path per line. A line that begins with `"` is quoted as in C; one that begins with `#` is a comment. */
export function alternatesText(objects: string): string {
  return /^["#]|[\n\\"]/.test(objects) ? `${JSON.stringify(objects)}\n` : `${objects}\n`;
}

type Contents = ReadonlyMap<string, Uint8Array>;

/** The user's files as they are now, by their names in our git directory. */
function contentsOf(trees: FolderTrees, { commonDir }: CheckoutPaths, { bytes }: UserSettings): Contents {
  const sources = [
    ["info/exclude", `${commonDir}/info/exclude`],
    ["info/attributes", `${commonDir}/info/attributes`],
    ...personal.map(([key, name]) => [name, bytes.get(key)] as const),
  ] as const;
  return new Map(
    sources.map(([name, path]) => [name, path === undefined ? new Uint8Array() : readOrNothing(trees, path)]),
  );
}

/**
 * The user's personal files, which apply to all repositories, are copied as well: later changes to them are not
 * trusted.
 */
const personal = [
  ["core.excludesfile", "excludes"],
  ["core.attributesfile", "attributes"],
] as const;

function digestOf(config: string, contents: Contents): string {
  const each = [...contents].map(([name, bytes]) => `${name} ${sha256(bytes)}\n`);
  return sha256(config + each.join("")).slice(0, 16);
}

interface HomeParts {
  readonly folder: string;
  readonly contents: Contents;
  readonly settings: UserSettings;
}

function filesOf(place: CheckoutPaths, { folder, contents, settings }: HomeParts): Contents {
  const paths = personal.map(([key, name]) => [key, `${folder}/${name}`] as const);
  const config = configText(place, new Map([...settings.bytes, ...paths]));
  return new Map([
    ["HEAD", Buffer.from("ref: refs/heads/none\n")],
    ["config", Buffer.from(config)],
    ...contents,
  ]);
}

const folders = ["info", "refs"];

/** Written under another name first, so that the folder is complete as soon as it exists. */
function write(trees: FolderTrees, folder: string, files: Contents): void {
  const making = `${folder}.${process.pid}.new`;
  for (const name of folders) trees.makeFolder(bytePath(`${making}/${name}`));
  for (const [name, bytes] of files) trees.write(bytePath(`${making}/${name}`), bytes);
  try {
    trees.rename(bytePath(making), bytePath(folder));
  } catch (error) {
    // Another cox was faster.
    if (!["ENOTEMPTY", "EEXIST"].includes(errnoOf(error) ?? "")) throw error;
  }
}

/** Any file that we did not make counts as a change, whatever its name: git may obey it. */
function changedIn(trees: FolderTrees, folder: string, files: Contents): string | undefined {
  for (const inner of ["", ...folders]) {
    const at = inner === "" ? folder : `${folder}/${inner}`;
    if (trees.look(bytePath(at))?.kind !== "folder") return at;
    for (const { name } of trees.list(bytePath(at))) {
      const path = inner === "" ? name : `${inner}/${name}`;
      if (!files.has(path) && !folders.includes(path)) return `${folder}/${path}`;
    }
  }
  for (const [name, bytes] of files) {
    const path = `${folder}/${name}`;
    if (!isAsWritten(trees, path, bytes)) return path;
  }
  return undefined;
}

/** Checks the store for commits that only a merge needs: it must lead to the user's store and nowhere else. */
function changedAlternates(trees: FolderTrees, objects: string, bytes: Uint8Array): string | undefined {
  const path = `${objects}/info/alternates`;
  return isAsWritten(trees, path, bytes) ? othersIn(trees, objects)[0] : path;
}

function othersIn(trees: FolderTrees, objects: string): string[] {
  const info = trees.list(bytePath(`${objects}/info`)).filter(({ name }) => name !== "alternates");
  const packs = trees.look(bytePath(`${objects}/pack`)) ? [`${objects}/pack`] : [];
  return [...info.map(({ name }) => `${objects}/info/${name}`), ...packs];
}

async function removeOthers(trees: FolderTrees, objects: string): Promise<void> {
  for (const path of othersIn(trees, objects)) await trees.remove(bytePath(path));
}

function isAsWritten(trees: FolderTrees, path: string, bytes: Uint8Array): boolean {
  const found = trees.look(bytePath(path));
  return (
    found?.kind === "file" &&
    found.size === bytes.length &&
    Buffer.compare(trees.read(bytePath(path)), bytes) === 0
  );
}

function homeChanged(path: string): Error {
  const message = `git was not started: ${oneLine(path, 300)} is not as cox created it, and git would obey it`;
  const hint = `Only cox should write there: check it, an agent may have written it. Then resume the run: cox resume recreates the folder.`;
  return Object.assign(new Error(message), { code: "GIT_HOME_CHANGED", hint });
}

function readOrNothing(trees: FolderTrees, path: string): Uint8Array {
  try {
    return trees.read(bytePath(path));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return new Uint8Array();
  }
}
