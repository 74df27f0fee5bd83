/** What is mounted where, as far as it must be known to mount a folder again with one option more. */
import { readFileSync } from "node:fs";

export interface Mount {
  readonly point: string;
  /** For `mount -o`: who remounts without the full privilege must repeat what is set, or is refused. */
  readonly options: readonly string[];
}

export function mountTable(): Mount[] {
  return readFileSync("/proc/self/mountinfo", "utf8").split("\n").filter(Boolean).map(readMount);
}

/** The mount that a folder is on. */
export function mountOf(path: string, table: readonly Mount[]): Mount | undefined {
  // Of two at one place the later covers the earlier.
  return table
    .filter(({ point }) => path === point || isInside(path, point))
    .reduce<Mount | undefined>(
      (best, one) => (best && best.point.length > one.point.length ? best : one),
      undefined,
    );
}

export function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`) && path !== folder;
}

function readMount(line: string): Mount {
  const fields = line.split(" ");
  const options = (fields[5] ?? "").split(",").filter((option) => option !== "rw" && option !== "ro");
  // The strictest way to keep access times is told by silence, but must be said.
  if (!options.includes("relatime") && !options.includes("noatime")) options.push("strictatime");
  return { point: unescaped(fields[4] ?? ""), options };
}

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
