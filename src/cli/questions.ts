/** `cox questions`: what waits for a person, with what it would change and the commands that answer. Nothing is an answer too. */
import type { State } from "../kernel/state.ts";
import type { TaskId } from "../plan/plan.ts";
import { readHeld } from "../runtime/held-change.ts";
import type { RunFolder } from "../runtime/run-folder.ts";
import { jsonText } from "../view/json-text.ts";
import { type OpenQuestion, openQuestions, type Preview, questionText } from "../view/questions.ts";
import { fileDifferences } from "../view/tree-difference.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { seeRun } from "./see-run.ts";

export function questions(door: Door): Promise<ExitCode> {
  const { words, clock, terminal } = door;
  return seeRun(door, { command: "questions", run: words[0] }, ({ look, folder }) => {
    const { state, now } = look.seen(clock.now());
    const open = openQuestions(state, now).map((question) => ({
      question,
      previews: previewsOf(question, state, folder),
    }));
    const { paint, ascii } = terminal;
    const shown = { ...terminal.size(), paint, ascii };
    if (terminal.json) {
      const told = open.map(({ question, previews }) => ({ ...question, previews }));
      terminal.print(jsonText({ ok: true, run: folder.run, questions: told }));
    } else if (open.length === 0) terminal.print("Nothing waits for you.\n");
    else {
      const texts = open.map(({ question, previews }) => questionText(question, shown, previews).join("\n"));
      terminal.print(`${texts.join("\n\n")}\n`);
    }
    return exit.done;
  });
}

const previewsMax = 8;
/** Of each file; all of them: `cox diff TASK`. */
const linesMax = 20;

/** Of the files that only a person may allow to be changed so. */
function previewsOf({ task, items }: OpenQuestion, { tasks }: State, folder: RunFolder): Preview[] {
  const phase = tasks.get(task as TaskId)?.phase;
  const turn = phase?.name === "held" ? phase.turn : undefined;
  const held = turn === undefined ? undefined : readHeld(folder, turn);
  if (!held) return [];
  const wanted = new Set(items.map(({ path }) => path));
  return fileDifferences(held, linesMax)
    .filter(({ path }) => wanted.has(path))
    .slice(0, previewsMax);
}
