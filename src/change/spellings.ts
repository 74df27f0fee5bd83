/**
 * One spelling for each path in one reply and on the disk, and each path either a file or a folder.
 *
 * "Readme" and "README" are two files on one disk and one on another: whoever checks the result out there would
 * lose one of them. So two spellings that fold to the same are refused, in each component.
 */
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { Disk } from "./disk.ts";
import { foldPath, type TreePath } from "./path.ts";

export interface Spellings {
  /** What speaks against using the path as a file beside the ones used before. Its use is noted if nothing does. */
  clash(path: TreePath): Problem | undefined;
  /** The spelling on the disk of what the path names there in other letters of the same fold. */
  onDisk(path: TreePath): string | undefined;
}

export function trackSpellings(disk: Disk): Spellings {
  const used = new Map<string, Use>();
  const listings = new Map<string, Listing>();

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
        const there = folded.get(foldPath(component));
        return there === undefined ? undefined : components.with(at, there).join("/");
      }
      return undefined;
    },
  };

  function listing(folder: string): Listing {
    const known = listings.get(folder);
    if (known) return known;
    const names = disk.names(folder);
    const made = { exact: new Set(names), folded: new Map(names.map((name) => [foldPath(name), name])) };
    listings.set(folder, made);
    return made;
  }
}

interface Listing {
  readonly exact: ReadonlySet<string>;
  readonly folded: ReadonlyMap<string, string>;
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
