/** `cox undo`: undoes a changeset, or lists them; with `--documents`, undoes a change to the documents. */

import type { ChangesetSummary } from "../../changeset/history.ts";
import { Peek } from "../../changeset/peek.ts";
import type { ApplyOutcome } from "../../changeset/proposal.ts";
import { insideTurn } from "../../runtime/start/inside-turn.ts";
import { unreachable } from "../../std/assert.ts";
import { counted } from "../../std/counted.ts";
import type { Problem } from "../../std/problem.ts";
import { historyText } from "../../view/log/history.ts";
import { failureDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { refusalText } from "../../view/text/problems.ts";
import type { LogPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { openProgress } from "../terminal/progress.ts";
import { openChangesets } from "./open-changesets.ts";

export async function undo(door: CommandContext, ports: LogPorts): Promise<ExitCode> {
  const isOfDocuments = door.values.has("documents");
  if (door.values.has("list") && !isOfDocuments) return list(door);
  const refusal = insideTurn(ports);
  if (refusal) return tellProblems(door, "undo", [refusal], exit.refused);
  return isOfDocuments
    ? (await import("../documents/undo-documents.ts")).undoDocuments(door, ports.user)
    : takeBack(door);
}

/** Reads without the lock, so it answers while another process works. */
function list({ values, files, terminal }: CommandContext): ExitCode {
  const peek = Peek.open(files, values.one("root") ?? ".");
  const changesets = peek.history().reverse();
  peek.close();
  if (terminal.json) terminal.print(jsonText({ ok: true, changesets }));
  else terminal.print(historyText(changesets, terminal.paint));
  return exit.done;
}

async function takeBack(door: CommandContext): Promise<ExitCode> {
  const { words, values, signal } = door;
  const root = values.one("root") ?? ".";
  if (isUntouched(door, root)) return tell(door, { outcome: "refused", problems: [nothingHere] }, []);
  const changesets = await openChangesets(door, root);
  try {
    const progress = openProgress(door);
    const outcome = await changesets
      .undo(words[0], { signal, onProgress: progress.report })
      .finally(progress.end);
    return tell(door, outcome, changesets.history());
  } finally {
    changesets.close();
  }
}

/** Opening the changesets would create our folder, and a mistyped `cox undo` should create nothing. */
function isUntouched({ files }: CommandContext, root: string): boolean {
  const peek = Peek.open(files, root);
  const isUntouched = peek.figures().changesets === 0;
  peek.close();
  return isUntouched;
}

const nothingHere: Problem = {
  code: "UNDO_NOTHING",
  message: "no changeset has been applied in this folder",
  hint: "Go to the folder where it was applied, or name it: cox undo --root DIR",
};

function tell(
  { terminal }: CommandContext,
  outcome: ApplyOutcome,
  history: readonly ChangesetSummary[],
): ExitCode {
  switch (outcome.outcome) {
    case "applied": {
      const undone = history.find(({ id }) => id === outcome.id)?.undoes ?? null;
      if (terminal.json) {
        const { id: changeset, files } = outcome;
        terminal.print(jsonText({ ok: true, changeset, undone, files, errors: [] }));
      } else {
        const back = `${counted(outcome.files, "file")} put back and read back · changeset ${undone} is undone`;
        terminal.print(`${terminal.paint("green", "✓")} ${back} · redo: cox undo ${outcome.id}\n`);
      }
      return exit.done;
    }
    case "refused":
      if (terminal.json) terminal.print(jsonText(failureDocument("undo", outcome.problems)));
      else terminal.notice(refusalText(outcome.problems, "undo", terminal.noticePaint));
      return exit.refused;
    case "duplicate":
      throw new Error(`the fresh id ${outcome.id} was taken`);
    default:
      return unreachable(outcome);
  }
}
