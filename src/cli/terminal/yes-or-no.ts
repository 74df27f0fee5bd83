/** Asks the person at the terminal a yes-or-no question. Anything but a yes is a no. */
import type { CommandContext } from "../command-context.ts";

/** `nobody`: nobody is there, or asking is not allowed. */
export type YesOrNo = "yes" | "no" | "nobody";

export interface YesOrNoQuestion {
  /** Ends in a question mark. */
  readonly question: string;
  /** What to show before the question. */
  readonly shown?: string;
}

export async function yesOrNo(
  door: CommandContext,
  { question, shown = "" }: YesOrNoQuestion,
): Promise<YesOrNo> {
  const person = door.terminal.json ? undefined : door.findPerson();
  if (!person) return "nobody";
  if (shown !== "") person.tell(shown);
  const answer = await person.ask(`${question} [y/N] `, door.signal);
  return /^y(es)?$/i.test(answer ?? "") ? "yes" : "no";
}
