/** `cox undo`: takes a changeset back, or lists them. */
import { Changesets } from "../changeset/changesets.ts";
import type { ChangesetSummary } from "../changeset/history.ts";
import { Peek } from "../changeset/peek.ts";
import type { Outcome } from "../changeset/proposal.ts";
import { unreachable } from "../std/assert.ts";
import { failureDocument } from "../view/document.ts";
import { historyText } from "../view/history.ts";
import { counted } from "../view/printable.ts";
import { refusalText } from "../view/problems.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { openProgress } from "./progress.ts";
import { tellRecovered } from "./recovered.ts";

export async function undo(door: Door): Promise<ExitCode> {
  return door.values.has("list") ? list(door) : takeBack(door);
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
  const { words, values, files, clock, chance, signal, terminal } = door;
  const changesets = await Changesets.open({ files, root: values.one("root") ?? ".", clock, chance });
  try {
    tellRecovered(changesets.recovered, terminal);
    const progress = openProgress(terminal, clock.now);
    const outcome = await changesets
      .undo(words[0], { signal, onProgress: progress.report })
      .finally(progress.end);
    return tell(door, outcome, changesets.history());
  } finally {
    changesets.close();
  }
}

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
