/** How applying a reply ended, as one value, and its two renderings: JSON and text. */
import { counted, grouped } from "../../std/counted.ts";
import type { Problem } from "../../std/problem.ts";
import {
  type ApplyDocument,
  type OperationDocument,
  type OperationStatus,
  problemDocument,
} from "../text/document.ts";
import type { Paint } from "../text/paint.ts";
import { problemsText, refusalText } from "../text/problems.ts";

export interface ApplyReport {
  readonly ending: ApplyEnd;
  readonly operations: readonly PlannedOperation[];
  readonly warnings: readonly Problem[];
}

export type ApplyEnd =
  /** The command line cannot work: no such file, an impossible name. */
  | { readonly name: "misused"; readonly problems: readonly Problem[] }
  | { readonly name: "refused"; readonly problems: readonly Problem[] }
  /** A person must confirm, and nobody could be asked. */
  | { readonly name: "waiting"; readonly problems: readonly Problem[] }
  /** A dry run; the confirmations are what it would ask. */
  | { readonly name: "planned"; readonly confirmations: readonly Problem[] }
  | { readonly name: "duplicate"; readonly id: string }
  | {
      readonly name: "applied";
      readonly id: string;
      readonly files: number;
      /** Ctrl-C came too late to stop it. */
      readonly interrupted: boolean;
    };

export type PlannedOperation = Omit<OperationDocument, "status">;

export function endedDocument({ ending, operations, warnings }: ApplyReport): ApplyDocument {
  const errors = errorsOf(ending);
  const notes = [...warnings, ...notesOf(ending)];
  const faulty = new Set(errors.map(({ index }) => index));
  return {
    ok: errors.length === 0,
    applied: ending.name === "applied" ? operations.length : 0,
    changeset: ending.name === "applied" || ending.name === "duplicate" ? ending.id : null,
    operations: operations.map((operation) => ({
      ...operation,
      status: statusOf(ending, faulty.has(operation.index)),
    })),
    warnings: notes.map(problemDocument),
    errors: errors.map(problemDocument),
  };
}

export interface EndedText {
  /** For stdout: the result. */
  readonly result: string;
  /** For stderr: what is wrong, or worth knowing. */
  readonly notice: string;
}

export function endedText({ ending, warnings }: ApplyReport, paint: Paint, noticePaint: Paint): EndedText {
  const warningText = problemsText(warnings, "warning", noticePaint);
  switch (ending.name) {
    case "misused":
      return { result: "", notice: warningText + problemsText(ending.problems, "error", noticePaint) };
    case "refused":
      return { result: "", notice: warningText + refusalText(ending.problems, "reply", noticePaint) };
    case "waiting":
      return { result: "", notice: warningText + waitingText(ending.problems, noticePaint) };
    case "planned":
      return { result: "", notice: warningText + plannedText(ending.confirmations, noticePaint) };
    case "duplicate":
      return {
        result: "",
        notice: `${paint("green", "✓")} already applied as changeset ${ending.id}; nothing to do\n`,
      };
    case "applied":
      return { result: appliedText(ending, paint), notice: warningText + lateText(ending.interrupted) };
  }
}

function errorsOf(ending: ApplyEnd): readonly Problem[] {
  return ending.name === "misused" || ending.name === "refused" || ending.name === "waiting"
    ? ending.problems
    : [];
}

function notesOf(ending: ApplyEnd): readonly Problem[] {
  if (ending.name === "planned") return ending.confirmations;
  if (ending.name !== "duplicate") return [];
  return [
    {
      code: "TXN_DUPLICATE",
      message: `changeset ${ending.id} was applied before; nothing was done again`,
      hint: "To apply the reply once more, give it another --id.",
    },
  ];
}

function statusOf(ending: ApplyEnd, faulty: boolean): OperationStatus {
  if (ending.name === "applied") return "applied";
  if (ending.name === "planned" || ending.name === "waiting") return "planned";
  return faulty ? "refused" : "skipped";
}

function waitingText(problems: readonly Problem[], paint: Paint): string {
  const sum = paint("bold", `${counted(problems.length, "confirmation")} needed, nothing was changed`);
  return `${problemsText(problems, "error", paint)}${sum}\nRun it in a terminal to be asked, or confirm all of it: --yes\n`;
}

function plannedText(confirmations: readonly Problem[], paint: Paint): string {
  const asked = problemsText(confirmations, "warning", paint);
  const would =
    confirmations.length > 0 ? ` (would ask for ${counted(confirmations.length, "confirmation")})` : "";
  return `${asked}${paint("bold", `dry run, nothing was changed${would}`)}\n`;
}

function appliedText({ id, files }: { id: string; files: number }, paint: Paint): string {
  if (files === 0) return `${paint("green", "✓")} nothing to change: the operations cancel out\n`;
  const sum = `${grouped(files)} of ${counted(files, "file")} on disk, read back`;
  return `${paint("green", "✓")} ${sum} · changeset ${paint("bold", id)} · undo: cox undo ${id}\n`;
}

function lateText(interrupted: boolean): string {
  return interrupted ? "You interrupted it after the commit point, so it was finished.\n" : "";
}
