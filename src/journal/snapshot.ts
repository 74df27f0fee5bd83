/**
 * A state computed from the log, saved so that the next start need not compute it again: `{v, seq, last, state}`.
 *
 * It is disposable. It names the record it was made after by number and checksum, and through the chain that stands for
 * the whole log before it. If the log has a different record there, or none, the snapshot is ignored.
 */
import { replaceFile } from "../durable/replace-file.ts";
import { seal, unseal } from "../durable/seal.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import { errnoOf } from "../world/files/errno.ts";
import type { Files, Folder } from "../world/files/files.ts";
import { fileNames } from "./file-names.ts";

export interface Snapshot {
  /** The last record included. */
  readonly seq: number;
  /** Plain JSON. */
  readonly state: unknown;
}

interface Place {
  readonly files: Files;
  readonly folder: Folder;
  /** Version of the state's format; a snapshot of another version is ignored. */
  readonly version: number;
}

export async function writeSnapshot(snapshot: Place & Snapshot & { readonly sum: string }): Promise<void> {
  const { files, folder, version, seq, sum, state } = snapshot;
  const bytes = encodeUtf8(`${seal({ v: version, seq, last: sum, state }).text}\n`);
  await replaceFile({ files, folder, name: fileNames.snapshot, bytes });
}

/**
 * Undefined when the snapshot does not fit the log, for whatever reason. `sumOf` gives the checksum of an existing
 * record.
 */
export function readSnapshot(
  place: Place & { readonly sumOf: (seq: number) => string | undefined },
): Snapshot | undefined {
  const text = readText(place);
  const found = text === undefined ? undefined : unseal(text.trimEnd());
  if (typeof found?.value !== "object" || found.value === null) return undefined;
  const { v, seq, last, state } = found.value as Partial<Record<"v" | "seq" | "last" | "state", unknown>>;
  if (v !== place.version || typeof seq !== "number" || typeof last !== "string") return undefined;
  return place.sumOf(seq) === last ? { seq, state } : undefined;
}

function readText({ files, folder }: Place): string | undefined {
  if (files.stat(folder, fileNames.snapshot)?.kind !== "file") return undefined;
  try {
    const file = files.open(folder, fileNames.snapshot, "read");
    try {
      return decodeUtf8(files.read(file, 0, files.statOf(file).size));
    } finally {
      files.close(file);
    }
  } catch (error) {
    if (errnoOf(error)) return undefined;
    throw error;
  }
}
