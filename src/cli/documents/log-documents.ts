/** `cox log --documents`: shows who changed which documents and tasks, and whether that log is intact. */

import type { Deed } from "../../document/store.ts";
import type { Remake } from "../../document/text/revise.ts";
import { FileStore } from "../../document-store/file-store.ts";
import type { FileRecord } from "../../document-store/record.ts";
import { storeHint } from "../../document-store/store-hint.ts";
import { unknownChange } from "../../document-store/undo-change.ts";
import { type HistoryReport, verifyHistory } from "../../document-store/verify-history.ts";
import { LogDamaged } from "../../durable/log-damaged.ts";
import { runsRoot } from "../../runtime/folder/runs-root.ts";
import { counted } from "../../std/counted.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { size } from "../../std/size.ts";
import { type DeedRow, deedLines } from "../../view/log/deed-lines.ts";
import { type ChangedDocument, changeText } from "../../view/text/change-text.ts";
import { problemDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { LogPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { dateAndTime } from "../look/log-printer.ts";
import { tellProblems } from "../tell-problems.ts";
import { repairDocumentsLog } from "./repair-documents-log.ts";

export async function logDocuments(door: CommandContext, ports: LogPorts): Promise<ExitCode> {
  const { files, values } = door;
  const wrong = wrongOptions(door);
  if (wrong.length > 0) return tellProblems(door, "log", wrong, exit.usage);
  const root = runsRoot(files, values.one("root"));
  if (values.has("repair")) return repairDocumentsLog(door, root, ports);
  if (values.has("verify")) return tellReport(door, verifyHistory(files, root));
  try {
    const [number] = door.words;
    if (number !== undefined) return await tellChange(door, root, Number(number));
    const deeds = await historyIn(door, root, (store) => store.history());
    const limit = values.one("limit");
    tellDeeds(door, limit === undefined ? deeds : deeds.slice(-Number(limit)));
    return exit.done;
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    const { code, message } = error;
    return tellProblems(door, "log", [{ code, message, hint: storeHint(code) }], exit.notReady);
  }
}

async function historyIn<T>(
  { files, clock, chance }: CommandContext,
  root: string,
  look: (store: FileStore) => T,
): Promise<T> {
  const store = FileStore.open({ files, root, clock, chance });
  try {
    return look(store);
  } finally {
    await store.close();
  }
}

function tellDeeds({ terminal }: CommandContext, deeds: readonly Deed[]): void {
  if (!terminal.json) terminal.print(deedLines(deeds.map(rowOf), terminal.paint));
  else terminal.print(deeds.map((deed) => jsonText(deed)).join(""));
}

function rowOf({ number, at, by, tool, about, tasks, files }: Deed): DeedRow {
  const named = (tasks ?? []).map(({ document, slug }) => `${document}#${slug}`);
  const places = named.length > 0 ? named : files.map(({ path }) => path);
  return { number, when: dateAndTime(Date.parse(at)), by: by.name, door: by.door, tool, about, places };
}

async function tellChange(door: CommandContext, root: string, number: number): Promise<ExitCode> {
  const past = await historyIn(door, root, (store) => store.past());
  const change = past.find((one) => one.number === number);
  if (!change) return tellProblems(door, "log", [unknownChange(past, number)], exit.refused);
  const { terminal } = door;
  if (terminal.json) terminal.print(jsonText(change));
  else terminal.print(changeText(rowOf(change), change.files.map(changedDocument), terminal.paint));
  return exit.done;
}

function changedDocument({ path, before, redo, undo }: FileRecord): ChangedDocument {
  const out = textsOf(undo);
  const into = textsOf(redo);
  const pieces = Array.from({ length: Math.max(out.length, into.length) }, (_, at) => ({
    out: out[at] ?? "",
    into: into[at] ?? "",
  }));
  return { path, pieces, isKept: before === null || undo !== undefined };
}

function textsOf(remake: Remake | undefined): string[] {
  if (!remake) return [];
  if ("text" in remake) return [remake.text];
  return remake.splices.toSorted((one, other) => one.start - other.start).map(({ text }) => text);
}

function tellReport({ terminal }: CommandContext, report: HistoryReport): ExitCode {
  const { damage } = report;
  if (terminal.json) terminal.print(jsonText(reportDocument(report)));
  else if (damage) terminal.notice(problemsText([damage], "error", terminal.noticePaint));
  else terminal.print(`${terminal.paint("green", "✓")} ${soundWords(report)}\n`);
  return damage ? exit.notReady : exit.done;
}

function reportDocument({ bytes, records, changes, withdrawn, turns, tornBytes, damage }: HistoryReport) {
  return {
    ok: damage === undefined,
    bytes,
    records,
    changes,
    withdrawn,
    turns,
    torn_bytes: tornBytes,
    errors: damage ? [problemDocument(damage)] : [],
  };
}

function soundWords({ bytes, records, changes, tornBytes }: HistoryReport): string {
  const torn = tornBytes === 0 ? "" : `; ${size(tornBytes)} after them were cut off by a crash`;
  return `the log is sound: ${counted(changes, "change")} in ${counted(records, "record")}, ${size(bytes)}${torn}`;
}

function wrongOptions({ values, words }: CommandContext): Problem[] {
  const problems: Problem[] = [];
  const limit = values.one("limit");
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    problems.push({
      code: "USAGE",
      message: `--limit ${quote(limit, 40)} is not a number of changes`,
      hint: "Write a whole number, 1 or more: cox log --documents --limit 20",
    });
  const [number, ...more] = words;
  const isNumber = number !== undefined && /^[1-9]\d{0,8}$/.test(number);
  const strange = isNumber ? more : words;
  const ofRuns = ["follow", "level", "task"].filter((name) => values.has(name));
  const given = [...ofRuns.map((name) => `--${name}`), ...strange.map((word) => quote(word, 40))];
  if (given.length > 0)
    problems.push({
      code: "USAGE",
      message: `${given.join(", ")} applies to the log of a run, --documents to another log`,
      hint: "Leave one of them out: cox log --documents [NUMBER | --verify | --repair] [--json] [--limit N]",
    });
  return problems;
}
