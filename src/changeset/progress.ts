/**
 * `progress.md`: what was done to the files, for a person to read, one entry for each changeset.
 *
 * A view: the ledger and the manifests are the truth, and a line that could not be written here loses nothing.
 */
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import { size } from "../std/size.ts";
import type { Manifest } from "./manifest.ts";
import type { OperationRecord } from "./proposal.ts";

export const progressName = "progress.md";

export interface Ending {
  readonly manifest: Manifest;
  readonly at: string;
  /** Why it was taken back; nothing when all of it was applied. */
  readonly failure?: string;
}

export function progressEntry({ manifest, at, failure }: Ending): string {
  const { about, id } = manifest;
  const total = about.operations.length;
  const done = failure === undefined ? total : 0;
  const lines = [
    `### [${at.slice(0, 16).replace("T", " ")}] File Operations Executed`,
    "",
    `**Specialist**: ${words(about.specialist ?? "cox apply")}`,
    `**Task**: ${words(about.task ?? about.summary ?? "(none given)")}`,
    `**Changeset**: ${id}${about.undoes ? ` (takes back ${about.undoes})` : ""}`,
    "",
    "**Operations**:",
    ...about.operations.flatMap((operation, position) => operationLines(operation, position + 1, failure)),
    "",
    `**Summary**: ${done}/${total} operations successful, ${total - done} failed`,
    "",
    "",
  ];
  return lines.join("\n");
}

function operationLines(operation: OperationRecord, number: number, failure: string | undefined): string[] {
  const { operation: kind, path, description, bytes, sha256 } = operation;
  const told = bytes === undefined ? "" : ` (${size(bytes)})`;
  const verified =
    failure !== undefined
      ? `Not applied: ${words(failure)}`
      : sha256 && bytes !== undefined
        ? `Verified: read back from disk, ${counted(bytes, "byte")}, sha256 ${sha256.slice(0, 12)}…`
        : "Verified: gone from disk";
  return [
    `${number}. ${failure === undefined ? "✅" : "❌"} ${kind} ${words(path)}${told}`,
    `   - Description: ${words(description)}`,
    `   - ${verified}`,
  ];
}

/** Words of a model must not forge lines of ours. */
function words(text: string): string {
  return oneLine(text, 500);
}
