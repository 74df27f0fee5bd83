/** What is mounted where: just enough to mount a folder again with one more option. */
import { readFileSync } from "node:fs";
import { isAtOrInside } from "../../std/is-inside.ts";

export interface Mount {
  readonly point: string;
  /** For `mount -o`. Without full privileges, a remount that does not repeat the options already set is refused. */
  readonly options: readonly string[];
  readonly isReadOnly: boolean;
}

/** The mounts that a path can lead to. A mount covered by another is left out: it cannot be reached by its path. */
export function mountTable(): Mount[] {
  return visibleMounts(readFileSync("/proc/self/mountinfo", "utf8"));
}

/** Parses the text of a `mountinfo` file. */
export function visibleMounts(text: string): Mount[] {
  const rows = text.split("\n").filter(Boolean).map(readRow);
  const ids = new Set(rows.map(({ id }) => id));
  const root = rows.find(({ point, parent }) => point === "/" && !ids.has(parent)) ?? rows[0];
  const on = byParent(rows);
  return rows.filter((row) => root && reached(row.point, root, on) === row).map(mountOfRow);
}

function byParent(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.parent, [...(groups.get(row.parent) ?? []), row]);
  return groups;
}

/** Walks as the kernel does: at each step into the nearest mount that sits on the current one. */
function reached(path: string, root: Row, on: ReadonlyMap<string, readonly Row[]>): Row {
  const entered = new Set<Row>();
  let current = root;
  for (;;) {
    entered.add(current);
    const next = (on.get(current.id) ?? [])
      .filter((row) => !entered.has(row) && isAtOrInside(path, row.point))
      .sort((one, other) => one.point.length - other.point.length)[0];
    if (!next) return current;
    current = next;
  }
}

/** The mount that contains a folder. */
export function mountOf(path: string, table: readonly Mount[]): Mount | undefined {
  return table
    .filter(({ point }) => isAtOrInside(path, point))
    .reduce<Mount | undefined>(
      (best, one) => (best && best.point.length > one.point.length ? best : one),
      undefined,
    );
}

interface Row extends Mount {
  readonly id: string;
  readonly parent: string;
}

function readRow(line: string): Row {
  const [id = "", parent = "", , , point = "", flags = ""] = line.split(" ");
  const all = flags.split(",");
  const options = all.filter((option) => option !== "rw" && option !== "ro");
  // `strictatime` is not listed in the file, but must be given when remounting.
  if (!options.includes("relatime") && !options.includes("noatime")) options.push("strictatime");
  return { id, parent, point: unescaped(point), options, isReadOnly: all.includes("ro") };
}

function mountOfRow({ point, options, isReadOnly }: Row): Mount {
  return { point, options, isReadOnly };
}

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
