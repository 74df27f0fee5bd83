/** Reports the problems that stop a command, as text or as a document, and returns the exit code. */

import type { Problem } from "../std/problem.ts";
import { failureDocument } from "../view/text/document.ts";
import { jsonText } from "../view/text/json-text.ts";
import { problemsText } from "../view/text/problems.ts";
import type { CommandContext } from "./command-context.ts";
import type { ExitCode } from "./exit.ts";

export function tellProblems(
  { terminal }: Pick<CommandContext, "terminal">,
  /** Undefined if none was recognised. */
  command: string | undefined,
  problems: readonly Problem[],
  code: ExitCode,
): ExitCode {
  if (terminal.json) terminal.print(jsonText(failureDocument(command, problems)));
  else terminal.notice(problemsText(problems, "error", terminal.noticePaint));
  return code;
}
