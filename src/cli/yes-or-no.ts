/** A question that whoever sits at the terminal answers with yes or no. Anything but a yes is a no. */
import type { Door } from "./door.ts";

/** `nobody`: nobody is there, or nobody may be asked. */
export type YesOrNo = "yes" | "no" | "nobody";

export interface Asked {
  /** Ends in a question mark. */
  readonly question: string;
  /** What is to be seen first. */
  readonly shown?: string;
}

export async function yesOrNo(door: Door, { question, shown = "" }: Asked): Promise<YesOrNo> {
  const isAsked = !door.values.has("no-input") && !door.terminal.json;
  const person = isAsked ? door.findPerson() : undefined;
  if (!person) return "nobody";
  try {
    if (shown !== "") person.tell(shown);
    const answer = await person.ask(`${question} [y/N] `, door.signal);
    return /^y(es)?$/i.test(answer ?? "") ? "yes" : "no";
  } finally {
    person.leave();
  }
}
