/**
 * `cox questions`: shows what waits for a person, what it would change, and the commands that answer it. If nothing
 * waits, it says so.
 */
import type { State } from "../../kernel/state.ts";
import type { TaskId } from "../../plan/plan.ts";
import { readHeldChange } from "../../runtime/acts/held-change.ts";
import type { RunFolder } from "../../runtime/folder/run-folder.ts";
import { type OpenQuestion, openQuestions, type Preview, questionText } from "../../view/questions.ts";
import { fileDifferences } from "../../view/text/tree-difference.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { runDocument, seeRun } from "./see-run.ts";

export function questions(door: CommandContext): Promise<ExitCode> {
  const { words, clock, terminal } = door;
  return seeRun(door, { command: "questions", run: words[0] }, (run) => {
    const { look, folder } = run;
    const { state, now } = look.seen(clock.now());
    const open = openQuestions(state, now).map((question) => ({
      question,
      previews: previewsOf(question, state, folder),
    }));
    const { paint, ascii } = terminal;
    const shown = { ...terminal.size(), paint, ascii };
    if (terminal.json) {
      const questions = open.map(({ question, previews }) => ({ ...question, previews }));
      terminal.print(runDocument(run, { run: folder.run, questions }));
    } else if (open.length === 0) terminal.print("Nothing waits for you.\n");
    else {
      const texts = open.map(({ question, previews }) => questionText(question, shown, previews).join("\n"));
      terminal.print(`${texts.join("\n\n")}\n`);
    }
    return exit.done;
  });
}

const previewsMax = 8;
/** Lines shown per file. `cox diff TASK` shows all of them. */
const linesMax = 20;

/** Previews of the files whose changes only a person may allow. */
function previewsOf({ task, items }: OpenQuestion, { tasks }: State, folder: RunFolder): Preview[] {
  const phase = tasks.get(task as TaskId)?.phase;
  const turn = phase?.name === "held" ? phase.turn : undefined;
  const held = turn === undefined ? undefined : readHeldChange(folder, turn);
  if (!held) return [];
  const wanted = new Set(items.map(({ path }) => path));
  return fileDifferences(held, linesMax)
    .filter(({ path }) => wanted.has(path))
    .slice(0, previewsMax);
}
