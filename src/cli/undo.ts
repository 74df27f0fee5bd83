/** `cox undo`: takes a changeset back, or lists them; with `--documents` a change of the documents. */
import type { ChangesetSummary } from "../changeset/history.ts";
import { Peek } from "../changeset/peek.ts";
import type { Outcome } from "../changeset/proposal.ts";
import { insideTurn } from "../runtime/agents-decide-nothing.ts";
import { unreachable } from "../std/assert.ts";
import { counted } from "../std/counted.ts";
import type { Problem } from "../std/problem.ts";
import { failureDocument } from "../view/document.ts";
import { historyText } from "../view/history.ts";
import { refusalText } from "../view/problems.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { openChangesets } from "./open-changesets.ts";
import { openProgress } from "./progress.ts";
import type { LogMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";

export async function undo(door: Door, means: LogMeans): Promise<ExitCode> {
  const isOfDocuments = door.values.has("documents");
  if (door.values.has("list") && !isOfDocuments) return list(door);
  const refusal = insideTurn(means);
  if (refusal) return tellProblems(door, "undo", [refusal], exit.refused);
  return isOfDocuments
    ? (await import("./undo-documents.ts")).undoDocuments(door, means.user)
    : takeBack(door);
}

/** Looks without the lock, so it answers while another process works. */
function list({ values, files, terminal }: Door): ExitCode {
  const peek = Peek.open(files, values.one("root") ?? ".");
  const changesets = peek.history().reverse();
  peek.close();
  if (terminal.json) terminal.print(`${JSON.stringify({ ok: true, changesets })}\n`);
  else terminal.print(historyText(changesets, terminal.paint));
  return exit.done;
}

async function takeBack(door: Door): Promise<ExitCode> {
  const { words, values, clock, signal, terminal } = door;
  const root = values.one("root") ?? ".";
  if (isUntouched(door, root)) return tell(door, { outcome: "refused", problems: [nothingHere] }, []);
  const changesets = await openChangesets(door, root);
  try {
    const progress = openProgress(terminal, clock.now);
    const outcome = await changesets
      .undo(words[0], { signal, onProgress: progress.report })
      .finally(progress.end);
    return tell(door, outcome, changesets.history());
  } finally {
    changesets.close();
  }
}

/** Opening would make our folder, and a mistyped `cox undo` should make nothing. */
function isUntouched({ files }: Door, root: string): boolean {
  const peek = Peek.open(files, root);
  const isUntouched = peek.figures().changesets === 0;
  peek.close();
  return isUntouched;
}

const nothingHere: Problem = {
  code: "UNDO_NOTHING",
  message: "no changeset was ever applied in this folder",
  hint: "Go to the folder where it was applied, or name it: cox undo --root DIR",
};

function tell({ terminal }: Door, outcome: Outcome, history: readonly ChangesetSummary[]): ExitCode {
  switch (outcome.outcome) {
    case "applied": {
      const undone = history.find(({ id }) => id === outcome.id)?.undoes ?? null;
      if (terminal.json) {
        const { id: changeset, files } = outcome;
        terminal.print(`${JSON.stringify({ ok: true, changeset, undone, files, errors: [] })}\n`);
      } else {
        const back = `${counted(outcome.files, "file")} put back, verified · changeset ${undone} is undone`;
        terminal.print(`${terminal.paint("green", "✓")} ${back} · redo: cox undo ${outcome.id}\n`);
      }
      return exit.done;
    }
    case "refused":
      if (terminal.json) terminal.print(`${JSON.stringify(failureDocument("undo", outcome.problems))}\n`);
      else terminal.notice(refusalText(outcome.problems, "undo", terminal.noticePaint));
      return exit.refused;
    case "duplicate":
      throw new Error(`the fresh id ${outcome.id} was taken`);
    default:
      return unreachable(outcome);
  }
}
