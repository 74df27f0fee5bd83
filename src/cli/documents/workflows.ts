/** `cox workflows`: lists the workflow pages, or prints one of them. */

import { runsRoot } from "../../runtime/folder/runs-root.ts";
import { loadWorkflows } from "../../task/workflow/load-workflows.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { problemsText } from "../../view/text/problems.ts";
import {
  workflowListDocument,
  workflowListText,
  workflowPageDocument,
  workflowPageText,
} from "../../view/workflow-list.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";

export async function workflows(
  door: CommandContext,
  { packageRoot }: { packageRoot: string },
): Promise<ExitCode> {
  const { files, terminal, values, words } = door;
  const found = loadWorkflows(files, { root: runsRoot(files, values.one("root")), packageRoot });
  const problems = found.problems();
  terminal.notice(problemsText(problems, "warning", terminal.noticePaint));
  const [name] = words;
  if (name === undefined) {
    const all = found.list();
    const { columns } = terminal.size();
    terminal.print(
      terminal.json
        ? jsonText(workflowListDocument(all, problems))
        : workflowListText(all, { columns, paint: terminal.paint }),
    );
    return exit.done;
  }
  const answer = found.find("workflow", name);
  if ("problem" in answer) return tellProblems(door, "workflows", [answer.problem], exit.refused);
  const { workflow } = answer;
  terminal.print(terminal.json ? jsonText(workflowPageDocument(workflow)) : workflowPageText(workflow));
  return exit.done;
}
