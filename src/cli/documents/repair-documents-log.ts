/**
 * `cox log --documents --repair`: replaces a damaged log with a new one that contains every record that can still be
 * read, after a person has seen which ones cannot. Nothing changes without that. The original is kept, and no document
 * is touched.
 */
import { type HistoryLosses, repairHistory } from "../../document-store/repair-history.ts";
import { counted } from "../../std/counted.ts";
import { size } from "../../std/size.ts";
import type { LogPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit.ts";
import { repairWithConsent } from "../look/repair-with-consent.ts";

export function repairDocumentsLog(door: CommandContext, root: string, ports: LogPorts): Promise<ExitCode> {
  const { files, chance, clock } = door;
  const by = { name: ports.user, door: "terminal" } as const;
  return repairWithConsent(door, {
    ports,
    repair: (consent) =>
      repairHistory({ files, root, chance, by, at: new Date(clock.now()).toISOString(), consent }),
    question: "Begin the log anew with what can be read? The original is kept.",
    lossLines: (losses) => [lossWords(losses)],
    lossDocument: (losses) => ({ ...losses, unseen: losses.unseen ?? null }),
    keptIn: ".coxswain/documents/",
    hints: {
      declined: "Put .coxswain/documents back from a backup, or come again: cox log --documents --repair",
      needsYes: "If what cannot be read may be lost: cox log --documents --repair --yes",
    },
  });
}

function lossWords({ records, lines, bytes, unseen }: HistoryLosses): string {
  const lost = lines === 0 ? "" : ` ${counted(lines, "line")} (${size(bytes)}) cannot be read.`;
  const gone = unseen
    ? ` Records ${unseen.first} to ${unseen.last} are in no file any more; only the bookmark knew of them.`
    : "";
  return `${counted(records, "record")} can be read.${lost}${gone}`;
}
