/**
 * One spelling per path, in a reply and on the disk, and every path is either a file or a folder.
 *
 * "Readme" and "README" are two files on one disk and one file on another, so a checkout there would lose one of them.
 * Two spellings that fold to the same name are therefore refused, in every component. Spellings within a reply are
 * compared before the disk is asked, because the disk may take one for the other. The policy checks everything else,
 * once it is known which files stay.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Disk } from "../disk.ts";
import { foldPath, type TreePath } from "../path.ts";

export interface Spellings {
  /** Why the path cannot be used as a file next to those used before. If there is no problem, its use is recorded. */
  clash(path: TreePath): Problem | undefined;
  /** The path as spelled on the disk, if something there has the same folded name in another spelling. */
  onDisk(path: TreePath): string | undefined;
}

export function trackSpellings(disk: Disk): Spellings {
  const used = new Map<string, Use>();
  const listing = listings((folder) => disk.names(folder));

  return {
    clash(path) {
      const uses = usesOf(path);
      for (const [folded, use] of uses) {
        const known = used.get(folded);
        if (!known) continue;
        if (known.spelling !== use.spelling)
          return collision(path, use.spelling, known.spelling, "in this reply");
        if (known.as !== use.as) return bothFileAndFolder(path, use.spelling);
      }
      for (const [folded, use] of uses) used.set(folded, use);
      return undefined;
    },

    onDisk(path) {
      const components = path.split("/");
      for (const [at, component] of components.entries()) {
        const { exact, folded } = listing(components.slice(0, at).join("/"));
        if (exact.has(component)) continue;
        const there = folded.get(foldPath(component))?.at(-1);
        return there === undefined ? undefined : components.with(at, there).join("/");
      }
      return undefined;
    },
  };
}

/**
 * Finds new files that would sit next to another spelling of their own path, or of a folder on it. It compares them
 * with what remains of the earlier tree, whose folders hold `names`, and with the changes checked before. Existing
 * files are not judged, and a file that only changes its spelling leaves no twin.
 */
export function spellingChecker(
  changes: readonly PathChange[],
  names: (folder: string) => readonly string[],
): (change: PathChange) => Problem | undefined {
  const listing = listings(names);
  const deleted = new Set<string>(changes.filter(({ post }) => !post).map(({ path }) => path));
  const spellings = new Map<string, string>();

  return ({ path, pre, post }) => {
    if (pre || !post) return undefined;
    const components = path.split("/");
    for (const [at, component] of components.entries()) {
      const folder = components.slice(0, at).join("/");
      const { exact, folded } = listing(folder);
      if (exact.has(component)) continue;
      const fold = foldPath(component);
      const key = foldPath(under(folder, component));
      const twin =
        (folded.get(fold) ?? []).find((name) => !isGone(under(folder, name))) ?? spellings.get(key);
      if (twin !== undefined && twin !== component)
        return collision(path, path, components.with(at, twin).join("/"), "on the disk");
      spellings.set(key, component);
    }
    return undefined;
  };

  function isGone(path: string): boolean {
    if (deleted.has(path)) return true;
    const within = [...listing(path).exact];
    return within.length > 0 && within.every((name) => isGone(under(path, name)));
  }
}

/** All that matters of a change: whether there was a file, and whether there will be one. */
interface PathChange {
  readonly path: string;
  readonly pre?: unknown;
  readonly post?: unknown;
}

interface Listing {
  readonly exact: ReadonlySet<string>;
  readonly folded: ReadonlyMap<string, readonly string[]>;
}

/** Caches listings, because many paths share their folders. */
function listings(names: (folder: string) => readonly string[]): (folder: string) => Listing {
  const known = new Map<string, Listing>();
  return (folder) => {
    const listed = known.get(folder) ?? listingOf(names(folder));
    known.set(folder, listed);
    return listed;
  };
}

function listingOf(names: readonly string[]): Listing {
  const folded = new Map<string, string[]>();
  for (const name of names) {
    const fold = foldPath(name);
    folded.set(fold, [...(folded.get(fold) ?? []), name]);
  }
  return { exact: new Set(names), folded };
}

function under(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

export function collision(path: string, spelling: string, other: string, where: string): Problem {
  return {
    code: "PATH_CASE_COLLISION",
    message: `${quote(spelling)} and ${quote(other)} ${where} are one file where case does not count (macOS, Windows)`,
    hint: `Use one spelling, ${quote(other)}, or a name that differs in more than case.`,
    path,
  };
}

interface Use {
  readonly spelling: string;
  readonly as: "file" | "folder";
}

function usesOf(path: string): [folded: string, use: Use][] {
  const components = path.split("/");
  return components.map((_, at) => {
    const spelling = components.slice(0, at + 1).join("/");
    return [foldPath(spelling), { spelling, as: at === components.length - 1 ? "file" : "folder" }];
  });
}

function bothFileAndFolder(path: string, spelling: string): Problem {
  return {
    code: "PATH_NOT_DIRECTORY",
    message: `${quote(spelling)} is used as a file and as a folder in this reply`,
    hint: "Use it as one of the two; to turn a file into a folder, delete it in a reply of its own first.",
    path,
  };
}
