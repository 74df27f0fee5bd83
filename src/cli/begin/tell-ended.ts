/** Prints how a run ended, in the requested format, and returns the matching exit code. */

import { type ApplyEnd, type ApplyReport, endedDocument, endedText } from "../../view/end/ended.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

export function tellEnded(ended: ApplyReport, terminal: Terminal): ExitCode {
  if (terminal.json) {
    terminal.print(jsonText(endedDocument(ended)));
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
} as const satisfies Record<ApplyEnd["name"], ExitCode>;
