/** What the program recorded about its changesets, read from the disk and not through its code. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface LedgerRecord {
  readonly event: string;
  readonly data: { readonly id: string };
}

export function ledgerOf(root: string): LedgerRecord[] {
  const path = join(root, ".coxswain/changesets/ledger.jsonl");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** The applied ids in order. An id that occurs twice was applied twice. */
export function appliedIds(root: string): string[] {
  return ledgerOf(root).flatMap(({ event, data }) => (event === "changeset_applied" ? data.id : []));
}
