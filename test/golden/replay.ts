/** A golden log → the state that follows from it, as everybody sees it who only looks. */
import { peekJournal } from "../../src/journal/peek-journal.ts";
import { evolve } from "../../src/kernel/evolve.ts";
import { initialState } from "../../src/kernel/initial.ts";
import type { State } from "../../src/kernel/state.ts";
import { openFiles } from "../../src/world/files/choose-files.ts";

/** Throws where the log has an event that this version does not know. */
export async function replay(folder: string): Promise<State> {
  const peek = peekJournal(openFiles(), folder);
  try {
    const state = initialState();
    for (const one of await peek.read()) {
      if (!one.known) throw new Error(`this version does not know ${JSON.stringify(one)}`);
      evolve(state, one);
    }
    return state;
  } finally {
    peek.close();
  }
}
