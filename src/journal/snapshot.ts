/**
 * A state that was once made from the log, kept so that the next start need not make it again: `{v, seq, last, state}`.
 *
 * It is disposable. It names the record it was made after by number and checksum, which through the chain stands for
 * the whole log before it; where the log that is there has another record, or none, it is as if there were no snapshot.
 */
import { replaceFile } from "../durable/replace-file.ts";
import { seal, unseal } from "../durable/seal.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import { errnoOf } from "../world/errno.ts";
import type { Files, Folder } from "../world/files.ts";
import { fileNames } from "./file-names.ts";

export interface Snapshot {
  /** The last record that is in it. */
  readonly seq: number;
  /** Plain JSON. */
  readonly state: unknown;
}

interface Place {
  readonly files: Files;
  readonly folder: Folder;
  /** Of the state's shape: another one is of no use. */
  readonly version: number;
}

export async function writeSnapshot(snapshot: Place & Snapshot & { readonly sum: string }): Promise<void> {
  const { files, folder, version, seq, sum, state } = snapshot;
  const bytes = encodeUtf8(`${seal({ v: version, seq, last: sum, state }).text}\n`);
  await replaceFile({ files, folder, name: fileNames.snapshot, bytes });
}

/** Nothing, for whatever reason, when it does not fit the log. `sumOf` tells the checksum of a record that is there. */
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
