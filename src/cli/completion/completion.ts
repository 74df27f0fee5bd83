/** `cox completion bash|zsh|fish`: prints the script that makes a shell complete `cox`. */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { completionScripts } from "./completion-scripts.ts";

export async function completion(door: CommandContext): Promise<ExitCode> {
  const [shell] = door.words;
  const script = completionScripts.get(shell ?? "");
  if (script === undefined) return tellProblems(door, "completion", [unknownShell(shell)], exit.usage);
  door.terminal.print(script);
  return exit.done;
}

function unknownShell(shell: string | undefined): Problem {
  const message =
    shell === undefined ? "no shell was named" : `there is no completion for ${quote(shell, 60)}`;
  return { code: "USAGE", message, hint: `Type: cox completion ${[...completionScripts.keys()].join("|")}` };
}
