/** `cox log --documents`: who changed which documents and tasks, and whether the log of it is as it was written. */

import type { Remake } from "../document/revise.ts";
import type { Deed } from "../document/store.ts";
import { FileStore } from "../document-store/file-store.ts";
import type { FileRecord } from "../document-store/record.ts";
import { unknownChange } from "../document-store/undo-change.ts";
import { type HistoryReport, verifyHistory } from "../document-store/verify-history.ts";
import { whatToDo } from "../document-store/what-to-do.ts";
import { LogDamaged } from "../durable/log-damaged.ts";
import { runsRoot } from "../runtime/runs-root.ts";
import { counted } from "../std/counted.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { size } from "../std/size.ts";
import { type ChangedDocument, changeText } from "../view/change-text.ts";
import { type DeedRow, deedLines } from "../view/deed-lines.ts";
import { problemDocument } from "../view/document.ts";
import { jsonText } from "../view/json-text.ts";
import { problemsText } from "../view/problems.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { dateAndTime } from "./log-printer.ts";
import { repairDocumentsLog } from "./repair-documents-log.ts";
import type { LogMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";

export async function logDocuments(door: Door, means: LogMeans): Promise<ExitCode> {
  const { files, values } = door;
  const wrong = wrongWishes(door);
  if (wrong.length > 0) return tellProblems(door, "log", wrong, exit.usage);
  const root = runsRoot(files, values.one("root"));
  if (values.has("repair")) return repairDocumentsLog(door, root, means);
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
    return tellProblems(door, "log", [{ code, message, hint: whatToDo(code) }], exit.notReady);
  }
}

async function historyIn<T>(
  { files, clock, chance }: Door,
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

function tellDeeds({ terminal }: Door, deeds: readonly Deed[]): void {
  if (!terminal.json) terminal.print(deedLines(deeds.map(rowOf), terminal.paint));
  else terminal.print(deeds.map((deed) => jsonText(deed)).join(""));
}

function rowOf({ number, at, by, tool, about, tasks, files }: Deed): DeedRow {
  const named = (tasks ?? []).map(({ document, slug }) => `${document}#${slug}`);
  const places = named.length > 0 ? named : files.map(({ path }) => path);
  return { number, when: dateAndTime(Date.parse(at)), by: by.name, door: by.door, tool, about, places };
}

async function tellChange(door: Door, root: string, number: number): Promise<ExitCode> {
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

function tellReport({ terminal }: Door, report: HistoryReport): ExitCode {
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
  const torn = tornBytes === 0 ? "" : `; ${size(tornBytes)} behind them were cut off by a crash`;
  return `the log is as it was written: ${counted(changes, "change")} in ${counted(records, "record")}, ${size(bytes)}${torn}`;
}

function wrongWishes({ values, words }: Door): Problem[] {
  const problems: Problem[] = [];
  const limit = values.one("limit");
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    problems.push({
      code: "USAGE",
      message: `--limit ${quote(limit, 40)} is no number of changes`,
      hint: "Write a whole number from 1 on: cox log --documents --limit 20",
    });
  const [number, ...more] = words;
  const isNumber = number !== undefined && /^[1-9]\d{0,8}$/.test(number);
  const strange = isNumber ? more : words;
  const ofRuns = ["follow", "level", "task"].filter((name) => values.has(name));
  const given = [...ofRuns.map((name) => `--${name}`), ...strange.map((word) => quote(word, 40))];
  if (given.length > 0)
    problems.push({
      code: "USAGE",
      message: `${given.join(", ")} is about the log of a run, and --documents about another one`,
      hint: "Leave one of them out: cox log --documents [NUMBER | --verify | --repair] [--json] [--limit N]",
    });
  return problems;
}
