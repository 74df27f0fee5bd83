/** Prints how it ended, in the form that was asked for, and gives the exit code that says the same. */
import { type Ended, type Ending, endedDocument, endedText } from "../view/ended.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

export function tellEnded(ended: Ended, terminal: Terminal): ExitCode {
  if (terminal.json) {
    terminal.print(`${JSON.stringify(endedDocument(ended))}\n`);
  } else {
    const { result, notice } = endedText(ended, terminal.paint, terminal.noticePaint);
    terminal.notice(notice);
    terminal.print(result);
  }
  return exitCodes[ended.ending.name];
}

const exitCodes = {
  misused: exit.usage,
  refused: exit.refused,
  waiting: exit.waiting,
  planned: exit.done,
  duplicate: exit.done,
  applied: exit.done,
} as const satisfies Record<Ending["name"], ExitCode>;
