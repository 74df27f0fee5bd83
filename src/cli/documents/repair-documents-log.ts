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
    question: "Start a new log with what can still be read? The original is kept.",
    lossLines: (losses) => [lossWords(losses)],
    lossDocument: (losses) => ({ ...losses, unseen: losses.unseen ?? null }),
    keptIn: ".coxswain/documents/",
    hints: {
      declined: "Restore .coxswain/documents from a backup, or repair it later: cox log --documents --repair",
      needsYes: "To accept the loss: cox log --documents --repair --yes",
    },
  });
}

function lossWords({ records, lines, bytes, unseen }: HistoryLosses): string {
  const lost = lines === 0 ? "" : ` ${counted(lines, "line")} (${size(bytes)}) cannot be read.`;
  const gone = unseen
    ? ` Records ${unseen.first} to ${unseen.last} are lost; only the bookmark mentions them.`
    : "";
  return `${counted(records, "record")} can be read.${lost}${gone}`;
}
