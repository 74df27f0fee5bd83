/**
 * What happened to every changeset, in order. This record alone decides whether a changeset is to be finished, undone
 * or left alone.
 *
 * `changeset_prepared` is the commit point: from there on the changeset is finished, unless `changeset_aborted`
 * reverses it. `changeset_applied` and `changeset_restored` end it. Without `changeset_restored`, a later file that
 * happens to equal what the aborted changeset wanted would be taken for its remains. `changeset_cleared` says that the
 * saved files an undo needs were removed.
 */
import { Log } from "../durable/log.ts";
import { LogDamaged } from "../durable/log-damaged.ts";
import type { LogRecord } from "../durable/scan.ts";
import type { Files, Folder } from "../world/files/files.ts";

const ledgerName = "ledger.jsonl";
const version = 1;

export interface ChangesetState {
  readonly id: string;
  readonly state: "prepared" | "aborted" | "applied" | "restored";
  /** When it was prepared. */
  readonly at: string;
  /** Hash of the manifest, which binds it to the ledger. */
  readonly manifest: string;
  readonly files: number;
  readonly undoes?: string;
  /** Why it was undone. */
  readonly reason?: string;
  /** The files that were not put back, because somebody had changed them. Their earlier versions are kept. */
  readonly left?: readonly string[];
  /** The saved earlier versions of its files are gone: it can no longer be undone. */
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
  readonly #changesets: Map<string, ChangesetState>;

  private constructor(private readonly log: Log) {
    this.#changesets = fold(log.records);
  }

  static open(files: Files, folder: Folder, newId: () => string): Ledger {
    return new Ledger(Log.open({ files, folder, name: ledgerName, version, understands, newId }));
  }

  static peek(files: Files, folder: Folder): ReadonlyMap<string, ChangesetState> {
    const records = Log.peek({ files, folder, name: ledgerName });
    const newer = records.find((record) => !understands(record));
    if (newer)
      throw new LogDamaged("LOG_VERSION", ledgerName, `record ${newer.seq} was written by a newer version`);
    return fold(records);
  }

  /** By id, in the order in which they were last prepared. */
  get changesets(): ReadonlyMap<string, ChangesetState> {
    return this.#changesets;
  }

  record(at: string, event: LedgerEvent): void {
    this.log.append([event], { at });
    take(this.#changesets, event, at);
  }

  close(): void {
    this.log.close();
  }
}

function understands({ v }: LogRecord): boolean {
  return v <= version;
}

function fold(records: readonly LogRecord[]): Map<string, ChangesetState> {
  const changesets = new Map<string, ChangesetState>();
  for (const { event, data, at } of records) take(changesets, { event, data } as LedgerEvent, at);
  return changesets;
}

function take(changesets: Map<string, ChangesetState>, { event, data }: LedgerEvent, at: string): void {
  const { id } = data;
  const known = changesets.get(id);
  switch (event) {
    case "changeset_prepared":
      changesets.delete(id);
      changesets.set(id, { ...data, at, state: "prepared" });
      return;
    case "changeset_applied":
      if (known) changesets.set(id, { ...known, state: "applied" });
      return;
    case "changeset_aborted":
      if (known) changesets.set(id, { ...known, state: "aborted", reason: data.reason });
      return;
    case "changeset_restored":
      if (known)
        changesets.set(id, { ...known, state: "restored", ...(data.left.length > 0 && { left: data.left }) });
      return;
    case "changeset_cleared":
      if (known) changesets.set(id, { ...known, isCleared: true });
      return;
  }
}
