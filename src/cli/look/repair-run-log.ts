/**
 * `cox log --repair`: cuts a damaged log off before the damage, after a person has seen what is lost. Nothing changes
 * without that, and the original is kept.
 */
import { type Losses, repairLog } from "../../journal/repair-log.ts";
import type { RunFolder } from "../../runtime/folder/run-folder.ts";
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import { size } from "../../std/size.ts";
import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit.ts";
import { repairWithConsent } from "./repair-with-consent.ts";

export function repairRunLog(
  door: CommandContext,
  folder: RunFolder,
  ports: Pick<RunPorts, "enclosingTurn" | "typed">,
): Promise<ExitCode> {
  return repairWithConsent(door, {
    ports,
    repair: (consent) => repairLog({ files: door.files, folder: folder.path, consent }),
    question: "Cut the log off there? The original is kept.",
    lossLines,
    lossDocument: ({ after, bytes, readable, unseen = null }) => ({
      after,
      bytes,
      records: readable,
      unseen,
    }),
    named: { run: folder.run },
    next: "Go on: cox resume",
    hints: {
      declined: "Put events.jsonl back from a backup, or run this again: cox log --repair",
      needsYes: `If that may be lost: cox log ${oneLine(folder.run, 60)} --repair --yes`,
    },
  });
}

const lossesMax = 20;

function lossLines({ after, bytes, readable, unseen }: Losses): string[] {
  const left = readable.length - lossesMax;
  return [
    `The log ends after record ${after}. Cut off: ${size(bytes)}, with ${counted(readable.length, "record")} that can still be read${readable.length > 0 ? ":" : "."}`,
    ...readable
      .slice(0, lossesMax)
      .map(({ seq, at, event }) => `  ${seq}  ${oneLine(at, 30)}  ${oneLine(event, 80)}`),
    ...(left > 0 ? [`  … ${counted(left, "more record")}`] : []),
    ...(unseen ? [`Records ${unseen.first} to ${unseen.last} are lost; only the head mentions them.`] : []),
  ];
}
