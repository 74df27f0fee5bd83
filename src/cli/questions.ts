/** `cox questions`: what waits for a person, with the commands that answer. Nothing waiting is an answer too. */
import { jsonText } from "../view/json-text.ts";
import { openQuestions, questionText } from "../view/questions.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { seeRun } from "./see-run.ts";

export function questions(door: Door): Promise<ExitCode> {
  const { words, clock, terminal } = door;
  return seeRun(door, { command: "questions", run: words[0] }, ({ look, folder }) => {
    const { state, now } = look.seen(clock.now());
    const open = openQuestions(state, now);
    const { paint, ascii } = terminal;
    const shown = { ...terminal.size(), paint, ascii };
    if (terminal.json) terminal.print(jsonText({ ok: true, run: folder.run, questions: open }));
    else if (open.length === 0) terminal.print("Nothing waits for you.\n");
    else terminal.print(`${open.map((question) => questionText(question, shown).join("\n")).join("\n\n")}\n`);
    return exit.done;
  });
}
