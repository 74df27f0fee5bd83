/** When a run is over: nothing is under way, nothing can begin, no question is open, and the whole was verified. */

import { evidenceKey, type State } from "../../state.ts";
import { isAnyDue } from "../turn/selection.ts";

/** Also true if what is left can never begin: it depends on a failed task, or is on a level above one. */
export function canFinish(state: State): boolean {
  if (!isNothingUnderWay(state) || state.index.openQuestions.size > 0) return false;
  return isComplete(state) ? !needsFinalVerify(state) : !isAnyDue(state);
}

export function isNothingUnderWay({ turns, replies, queue, index }: State): boolean {
  const { dueWork, dueAudits, verifying } = index;
  return turns.size + replies.size + queue.length + dueWork.size + dueAudits.size + verifying.size === 0;
}

export function isComplete(state: State): boolean {
  return state.index.counts.done === state.tasks.size;
}

/** A run that did nothing has nothing to verify. */
export function needsFinalVerify(state: State): boolean {
  const commands = state.run?.settings.verify ?? [];
  if (state.tip === state.run?.base) return false;
  if (commands.length === 0 || state.evidence.has(evidenceKey(state.tipTree, commands))) return false;
  return state.finalVerify?.tree !== state.tipTree;
}
