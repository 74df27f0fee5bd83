/**
 * Remembers which coordinator task a session was given last, for as long as its connection lasts. It prevents a note
 * for one task from completing another that a parallel session of the same name has started in the meantime.
 *
 * A new session remembers nothing, and continues with whatever is in progress.
 */
import { activeList } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import type { Library } from "../../document/store.ts";
import type { PlanTask } from "../../plan/plan.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { lastArchive } from "../coordinator/coordinator-list.ts";
import type { HowTo } from "../how-to.ts";
import { recordOf, stateOf } from "../record/task-record.ts";

export class SessionMemory {
  /** The slug. */
  given: string | undefined;
}

export interface GivenNow {
  /** The list, if there is one, and its task in progress. */
  readonly document?: Document;
  readonly current?: PlanTask | undefined;
  readonly session: SessionMemory | undefined;
  readonly how: HowTo;
}

/**
 * A session that completes a task without naming it may only complete the one it was given last, never one that another
 * session has started. Undefined if the session may complete it: the task in progress is theirs, or they were not given
 * any task yet.
 */
export function whyNotGiven(
  library: Library,
  { document, current, session, how }: GivenNow,
): Problem | undefined {
  const given = session?.given;
  if (given === undefined || given === current?.id) return undefined;
  const here = document?.tasks.find(given);
  const name = `#${oneLine(given, 100)}`;
  const now = current
    ? `in progress is ${quote(current.title, 80)} (#${oneLine(current.id, 100)}), which it was not given`
    : "nothing is in progress";
  const toNote = here
    ? ` To leave your note on ${name}, ${how.toNote({ path: activeList, slug: given })}.`
    : "";
  return {
    code: "TASK_NOT_GIVEN",
    path: activeList,
    message: `this session was last given ${name}, ${fateOf(library, given, document)}; ${now}. Nothing was completed`,
    hint: `To get the present task, ${how.toStart({ path: activeList })}; to complete a certain one, name it in task.${toNote}`,
  };
}

function fateOf(library: Library, slug: string, list: Document | undefined): string {
  const document = [list, lastArchive(library)].find((one) => one?.tasks.factsOf(slug));
  const task = document?.tasks.find(slug);
  if (!document || !task) return "which is no longer a task of the list";
  if (stateOf(task) !== "completed") return `which has the status ${stateOf(task)}`;
  const { completed, notes } = recordOf(document, task);
  const by = completed?.by === undefined ? "" : ` by ${oneLine(completed.by, 80)}`;
  const at = completed === undefined ? "" : ` at ${oneLine(completed.at, 40)}`;
  const note = notes.at(-1);
  return `which was completed${at}${by}${note === undefined ? "" : ` (${quote(note, 60)})`}`;
}
