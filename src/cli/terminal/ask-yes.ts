/** A person's yes to something just shown: typed as `--yes`, or given at the terminal, and never assumed. */
import type { DecisionMaker } from "../../kernel/decision-maker.ts";
import type { Problem } from "../../std/problem.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { yesOrNo } from "./yes-or-no.ts";

export type Yes =
  | { readonly isGiven: true; readonly door: DecisionMaker["door"] }
  | { readonly isGiven: false; readonly problem: Problem; readonly exit: ExitCode };

export interface YesQuestion {
  /** Ends in a question mark. */
  readonly question: string;
  /** What would be decided, for messages: "to roll back 2 tasks". */
  readonly what: string;
}

export async function askYes(door: CommandContext, { question, what }: YesQuestion): Promise<Yes> {
  if (door.values.has("yes")) return { isGiven: true, door: "command" };
  const answer = await yesOrNo(door, { question });
  door.signal.throwIfAborted();
  if (answer === "yes") return { isGiven: true, door: "terminal" };
  return answer === "nobody"
    ? { isGiven: false, problem: needsYes(what), exit: exit.waiting }
    : { isGiven: false, problem: declined(what), exit: exit.refused };
}

function needsYes(what: string): Problem {
  const message = `a person must say yes ${what}, and there is no terminal to ask in; nothing was changed`;
  return { code: "NEEDS_YES", message, hint: "Run it in a terminal to be asked, or add: --yes" };
}

function declined(what: string): Problem {
  return {
    code: "DECLINED",
    message: `you did not say yes ${what}; nothing was changed`,
    hint: "To only look: --dry-run",
  };
}
