/** Says what is in the way of a command, in words or as a document, and passes its exit code on. */
import type { Problem } from "../std/problem.ts";
import { failureDocument } from "../view/document.ts";
import { problemsText } from "../view/problems.ts";
import type { Door } from "./door.ts";
import type { ExitCode } from "./exit.ts";

export function tellProblems(
  { terminal }: Pick<Door, "terminal">,
  command: string,
  problems: readonly Problem[],
  code: ExitCode,
): ExitCode {
  if (terminal.json) terminal.print(`${JSON.stringify(failureDocument(command, problems))}\n`);
  else terminal.notice(problemsText(problems, "error", terminal.noticePaint));
  return code;
}
