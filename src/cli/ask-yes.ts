/** A person's yes to something that was just shown: typed as --yes, or given at the terminal, and never assumed. */
import type { Decider } from "../kernel/event.ts";
import type { Problem } from "../std/problem.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";

export type Yes =
  | { readonly isGiven: true; readonly door: Decider["door"] }
  | { readonly isGiven: false; readonly problem: Problem; readonly exit: ExitCode };

export interface Asking {
  /** Ends in a question mark. */
  readonly question: string;
  /** What would be decided, for the messages: "to take 2 tasks back". */
  readonly what: string;
}

export async function askYes(door: Door, { question, what }: Asking): Promise<Yes> {
  if (door.values.has("yes")) return { isGiven: true, door: "command" };
  const isAsked = !door.values.has("no-input") && !door.terminal.json;
  const person = isAsked ? door.findPerson() : undefined;
  if (!person) return { isGiven: false, problem: needsYes(what), exit: exit.waiting };
  try {
    const answer = await person.ask(`${question} [y/N] `, door.signal);
    door.signal.throwIfAborted();
    if (/^y(es)?$/i.test(answer ?? "")) return { isGiven: true, door: "terminal" };
    return { isGiven: false, problem: declined(what), exit: exit.refused };
  } finally {
    person.leave();
  }
}

function needsYes(what: string): Problem {
  const message = `a person must say yes ${what}, and nobody could be asked; nothing was changed`;
  return { code: "NEEDS_YES", message, hint: "Run it in a terminal to be asked, or say it here: --yes" };
}

function declined(what: string): Problem {
  return {
    code: "DECLINED",
    message: `you did not say yes ${what}; nothing was changed`,
    hint: "Look again without being asked: --dry-run",
  };
}
