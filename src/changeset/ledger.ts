/**
 * What happened to every changeset, in order: the one record that decides whether a changeset is to be
 * finished, taken back, or left alone.
 *
 * `changeset_prepared` is the commit point: from there on it is finished, unless `changeset_aborted` turns it
 * round. `changeset_applied` and `changeset_restored` end it. Without the last one, a later file that happens to
 * equal what the aborted changeset wanted would be taken for its remains. `changeset_cleared` says that an applied
 * one lost what undo needs.
 */
import { Log } from "../durable/log.ts";
import { LogDamaged } from "../durable/log-damaged.ts";
import type { LogRecord } from "../durable/scan.ts";
import type { Files, Folder } from "../world/files.ts";

const ledgerName = "ledger.jsonl";
const version = 1;

export interface Standing {
  readonly id: string;
  readonly state: "prepared" | "aborted" | "applied" | "restored";
  /** When it was prepared. */
  readonly at: string;
  /** Binds the manifest to the ledger. */
  readonly manifest: string;
  readonly files: number;
  readonly undoes?: string;
  /** Why it was taken back. */
  readonly reason?: string;
  /** Its files as they were before it are gone: it cannot be taken back any more. */
  readonly isCleared?: true;
}

export type LedgerEvent =
  | {
      readonly event: "changeset_prepared";
      readonly data: {
        readonly id: string;
        readonly manifest: string;
        readonly files: number;
        readonly undoes?: string;
      };
    }
  | { readonly event: "changeset_applied"; readonly data: { readonly id: string; readonly verified: number } }
  | { readonly event: "changeset_aborted"; readonly data: { readonly id: string; readonly reason: string } }
  | {
      readonly event: "changeset_restored";
      readonly data: { readonly id: string; readonly left: readonly string[] };
    }
  | { readonly event: "changeset_cleared"; readonly data: { readonly id: string } };

export class Ledger {
  readonly #standings: Map<string, Standing>;

  private constructor(private readonly log: Log) {
    this.#standings = fold(log.records);
  }

  static open(files: Files, folder: Folder, newId: () => string): Ledger {
    return new Ledger(Log.open({ files, folder, name: ledgerName, version, understands, newId }));
  }

  static peek(files: Files, folder: Folder): ReadonlyMap<string, Standing> {
    const records = Log.peek({ files, folder, name: ledgerName });
    const newer = records.find((record) => !understands(record));
    if (newer)
      throw new LogDamaged("LOG_VERSION", ledgerName, `record ${newer.seq} was written by a newer version`);
    return fold(records);
  }

  /** By id, in the order in which they were last prepared. */
  get standings(): ReadonlyMap<string, Standing> {
    return this.#standings;
  }

  record(at: string, event: LedgerEvent): void {
    this.log.append([event], { at });
    take(this.#standings, event, at);
  }

  close(): void {
    this.log.close();
  }
}

function understands({ v }: LogRecord): boolean {
  return v <= version;
}

function fold(records: readonly LogRecord[]): Map<string, Standing> {
  const standings = new Map<string, Standing>();
  for (const { event, data, at } of records) take(standings, { event, data } as LedgerEvent, at);
  return standings;
}

function take(standings: Map<string, Standing>, { event, data }: LedgerEvent, at: string): void {
  const { id } = data;
  const known = standings.get(id);
  switch (event) {
    case "changeset_prepared":
      standings.delete(id);
      standings.set(id, { ...data, at, state: "prepared" });
      return;
    case "changeset_applied":
      if (known) standings.set(id, { ...known, state: "applied" });
      return;
    case "changeset_aborted":
      if (known) standings.set(id, { ...known, state: "aborted", reason: data.reason });
      return;
    case "changeset_restored":
      if (known) standings.set(id, { ...known, state: "restored" });
      return;
    case "changeset_cleared":
      if (known) standings.set(id, { ...known, isCleared: true });
      return;
  }
}
