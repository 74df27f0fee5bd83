/**
 * Files that two tasks both declare to write: tasks of one level would touch them at the same time.
 *
 * Patterns can only overlap if the literal beginning of one leads into the other, so each is compared only with those
 * on its own path from the root, and the number of comparisons is bounded.
 */
export interface DeclaredWrite {
  readonly owner: number;
  readonly pattern: string;
}

export interface Overlap {
  readonly owners: readonly [number, number];
  /** The narrower of the two patterns. */
  readonly pattern: string;
}

const comparisonsMax = 200_000;

export function findOverlaps(writes: readonly DeclaredWrite[], overlapsMax: number): Overlap[] {
  const root: Folder = { writes: [], folders: new Map() };
  const overlaps: Overlap[] = [];
  const seen = new Set<string>();
  let left = comparisonsMax;
  // Shortest literal beginnings first, so that wider patterns are in the tree before narrower ones are compared.
  const ordered = writes.map(asPlaced).sort((one, other) => one.literal.length - other.literal.length);
  for (const write of ordered) {
    let folder = root;
    const meet = (other: Placed) => {
      left -= 1;
      if (other.owner === write.owner || !meets(write.parts, other.parts)) return;
      const owners: [number, number] =
        write.owner < other.owner ? [write.owner, other.owner] : [other.owner, write.owner];
      if (seen.has(owners.join())) return;
      seen.add(owners.join());
      overlaps.push({ owners, pattern: write.pattern });
    };
    for (const name of [...write.literal, undefined]) {
      for (const other of folder.writes) {
        if (left <= 0 || overlaps.length === overlapsMax) return overlaps;
        meet(other);
      }
      if (name !== undefined) folder = below(folder, name);
    }
    folder.writes.push(write);
  }
  return overlaps;
}

interface Folder {
  readonly writes: Placed[];
  readonly folders: Map<string, Folder>;
}

interface Placed extends DeclaredWrite {
  readonly parts: readonly string[];
  readonly literal: readonly string[];
}

function asPlaced(write: DeclaredWrite): Placed {
  const parts = write.pattern.replace(/^\.\//, "").replace(/\/$/, "/**").split("/");
  const wild = parts.findIndex((part) => part.includes("*"));
  return { ...write, parts, literal: wild === -1 ? parts : parts.slice(0, wild) };
}

function below({ folders }: Folder, name: string): Folder {
  const known = folders.get(name);
  if (known) return known;
  const folder: Folder = { writes: [], folders: new Map() };
  folders.set(name, folder);
  return folder;
}

/** Whether some path matches both. It fills a table over the two, so no pattern is slow. */
function meets(one: readonly string[], other: readonly string[]): boolean {
  return tabled(one, other, (part) => part === "**", meetsInside);
}

function meetsInside(one: string, other: string): boolean {
  if (!one.includes("*") && !other.includes("*")) return one === other;
  return tabled(
    [...one],
    [...other],
    (each) => each === "*",
    (a, b) => a === b,
  );
}

function tabled(
  one: readonly string[],
  other: readonly string[],
  isWild: (part: string) => boolean,
  fits: (a: string, b: string) => boolean,
): boolean {
  let row = [true];
  for (const part of other) row.push(row.at(-1) === true && isWild(part));
  for (const a of one) {
    const next = [isWild(a) && row[0] === true];
    other.forEach((b, at) => {
      // A wildcard matches nothing, or absorbs the other's current part.
      const isOpen = isWild(a) || isWild(b);
      next.push(isOpen ? row[at + 1] === true || next[at] === true : row[at] === true && fits(a, b));
    });
    row = next;
  }
  return row.at(-1) ?? false;
}
