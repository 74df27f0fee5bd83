/**
 * What each hook of the Claude Code plugin answers, and what it remembers of the session. All of it is bounded: a hook
 * is waited for.
 */

import { RunFolder } from "../runtime/run-folder.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { loadWorkflows } from "../task/load-workflows.ts";
import { isSessionName, keepSessionNotes, readSessionNotes } from "../task/session-notes.ts";
import { lookAtPlace } from "../task/session-place.ts";
import { reminderAnswer, restoringAnswer } from "../view/hook-answer.ts";
import { jsonText } from "../view/json-text.ts";
import type { Tree } from "../world/tree.ts";
import type { Door } from "./door.ts";

export interface HookMeans {
  readonly packageRoot: string;
  /** Where the session was begun, as Claude Code says it; nothing where it does not. */
  readonly project: string | undefined;
  /** A crew member at its desk is not the coordinator. */
  readonly isInsideTurn: boolean;
}

export interface AskedHook {
  readonly door: Door;
  readonly means: HookMeans;
  /** Of the repository. */
  readonly tree: Tree;
  readonly root: string;
  /** As Claude Code gives it: anything can be in it. */
  readonly event: Readonly<Record<string, unknown>>;
}

/** The JSON to print; nothing where there is nothing to say. */
export function answerHook(asked: AskedHook): string | undefined {
  const answer = answers[asked.door.words[0] ?? ""]?.(asked);
  return answer && jsonText(answer);
}

const answers: Readonly<Record<string, (asked: AskedHook) => object | undefined>> = {
  "session-start": restore,
  "pre-compact": countCompaction,
  stop: remind,
};

function restore({ door, means, tree, root, event }: AskedHook): object | undefined {
  const place = lookAtPlace(tree);
  if (!place) return undefined;
  const { compactions } = isSessionName(event.session_id)
    ? readSessionNotes(tree, event.session_id)
    : { compactions: 0 };
  const workflows = loadWorkflows(door.files, { root, packageRoot: means.packageRoot });
  const found = workflows.find("main-workflow", place.mainWorkflow ?? "");
  const page = "workflow" in found ? found.workflow.text : undefined;
  return restoringAnswer({ place, page, compactions });
}

function countCompaction({ door, tree, event }: AskedHook): undefined {
  const place = lookAtPlace(tree);
  const { session_id: session, trigger } = event;
  if (!place || !isSessionName(session)) return;
  const notes = readSessionNotes(tree, session);
  const compaction = {
    at: new Date(door.clock.now()).toISOString(),
    trigger: trigger === "manual" ? "manual" : "auto",
    task: place.task.slug,
  };
  const compacted = [...notes.compacted, compaction];
  keepSessionNotes(tree, session, { ...notes, compactions: notes.compactions + 1, compacted });
}

/** Once for each task and each question of a session; never in answer to a stop that we caused. */
function remind(asked: AskedHook): object | undefined {
  const { tree, event } = asked;
  const { session_id: session, stop_hook_active: isActive } = event;
  if (isActive === true || !isSessionName(session)) return undefined;
  const notes = readSessionNotes(tree, session);
  const isNew = (about: string) => !notes.reminded.includes(about);
  const place = lookAtPlace(tree);
  const task = place?.isStarted && isNew(`#${place.task.slug}`) ? place.task : undefined;
  const questions = openQuestions(asked).filter(isNew);
  if (!task && questions.length === 0) return undefined;
  // First noted, then said: where it cannot be noted it would be said at every end of a turn.
  const reminded = [...notes.reminded, ...(task ? [`#${task.slug}`] : []), ...questions];
  keepSessionNotes(tree, session, { ...notes, reminded });
  return reminderAnswer({ ...(task && { task }), questions });
}

/** As the newest run's own view of its state has them: reading its log would take too long. */
function openQuestions({ door, tree, root }: AskedHook): string[] {
  const [newest] = RunFolder.list(door.files, root);
  const read =
    newest === undefined ? undefined : tree.read(`.coxswain/runs/${newest}/state.json`, stateBytesMax);
  const state = read && JSON.parse(decodeUtf8(read.bytes));
  const pending: unknown = state?.pending_divine_questions;
  const names = Array.isArray(pending) ? pending.map((one) => one?.question_id) : [];
  return names.filter((name) => typeof name === "string").map((name) => `${newest}/${name}`);
}

/** A run of ten thousand tasks has about as much. */
const stateBytesMax = 4 * 1024 * 1024;
