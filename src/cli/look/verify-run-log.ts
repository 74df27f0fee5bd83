/**
 * `cox log --verify`: checks that every record is as it was written and none is missing. Also works while a run is in
 * progress.
 */
import { type LogReport, verifyLog } from "../../journal/verify-log.ts";
import type { RunFolder } from "../../runtime/folder/run-folder.ts";
import { counted } from "../../std/counted.ts";
import { size } from "../../std/size.ts";
import { problemDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";

export function verifyRunLog({ files, terminal }: CommandContext, folder: RunFolder): ExitCode {
  const report = verifyLog({ files, folder: folder.path });
  const { damage, warning } = report;
  if (terminal.json) terminal.print(jsonText(reportDocument(folder.run, report)));
  else if (damage) terminal.notice(problemsText([damage], "error", terminal.noticePaint));
  else {
    if (warning) terminal.notice(problemsText([warning], "warning", terminal.noticePaint));
    terminal.print(`${terminal.paint("green", "✓")} ${soundWords(report)}\n`);
  }
  return damage ? exit.notReady : exit.done;
}

function reportDocument(run: string, report: LogReport) {
  const { log, bytes, records, batches, writers, last, head, headSeq, tornBytes, damage, warning } = report;
  return {
    ok: damage === undefined,
    run,
    log: log ?? null,
    bytes,
    records,
    appends: batches,
    writers,
    last,
    head,
    head_seq: headSeq ?? null,
    torn_bytes: tornBytes,
    line: damage?.line ?? null,
    offset: damage?.offset ?? null,
    warnings: warning ? [problemDocument(warning)] : [],
    errors: damage ? [problemDocument(damage)] : [],
  };
}

function soundWords({ records, batches, writers, bytes, tornBytes }: LogReport): string {
  const torn =
    tornBytes === 0 ? "" : `; ${size(tornBytes)} after them belong to an append that a crash cut off`;
  const all = [counted(records, "record"), counted(batches, "append"), counted(writers, "writer")];
  return `the log is sound: ${all[0]} in ${all[1]} by ${all[2]}, ${size(bytes)}${torn}`;
}
