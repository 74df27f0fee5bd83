/**
 * What each hook of the Claude Code plugin answers, and what it remembers about the session. Everything is bounded,
 * because Claude Code waits for a hook.
 */

import { RunFolder } from "../../runtime/folder/run-folder.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { isSessionName, keepSessionNotes, readSessionNotes } from "../../task/session/session-notes.ts";
import { lookAtPlace } from "../../task/session/session-place.ts";
import { loadWorkflows } from "../../task/workflow/load-workflows.ts";
import { reminderAnswer, restoringAnswer } from "../../view/hook-answer.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { Tree } from "../../world/folders/tree.ts";
import type { CommandContext } from "../command-context.ts";

export interface HookPorts {
  readonly packageRoot: string;
  /** The folder where the session began, as Claude Code reports it; `undefined` if it does not. */
  readonly project: string | undefined;
  /** A crew member at its desk is not the coordinator. */
  readonly isInsideTurn: boolean;
}

export interface AskedHook {
  readonly door: CommandContext;
  readonly ports: HookPorts;
  /** The repository's tree. */
  readonly tree: Tree;
  readonly root: string;
  /** The event as Claude Code sends it. It may contain anything. */
  readonly event: Readonly<Record<string, unknown>>;
}

/** Returns the JSON to print, or `undefined` if there is nothing to say. */
export function answerHook(asked: AskedHook): string | undefined {
  const answer = answers[asked.door.words[0] ?? ""]?.(asked);
  return answer && jsonText(answer);
}

const answers: Readonly<Record<string, (asked: AskedHook) => object | undefined>> = {
  "session-start": restore,
  "pre-compact": countCompaction,
  stop: remind,
};

function restore({ door, ports, tree, root, event }: AskedHook): object | undefined {
  const place = lookAtPlace(tree);
  if (!place) return undefined;
  const { compactions } = isSessionName(event.session_id)
    ? readSessionNotes(tree, event.session_id)
    : { compactions: 0 };
  const workflows = loadWorkflows(door.files, { root, packageRoot: ports.packageRoot });
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

/** Reminds once per session of each task and each question, and never in answer to a stop that we caused. */
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
  // Note it before saying it. If the note cannot be stored, the reminder would otherwise come at the end of every turn.
  const reminded = [...notes.reminded, ...(task ? [`#${task.slug}`] : []), ...questions];
  keepSessionNotes(tree, session, { ...notes, reminded });
  return reminderAnswer({ ...(task && { task }), questions });
}

/** Taken from the newest run's stored view of its state, because reading its log would take too long. */
function openQuestions({ door, tree, root }: AskedHook): string[] {
  const [newest] = RunFolder.list(door.files, root);
  const read =
    newest === undefined ? undefined : tree.read(`.coxswain/runs/${newest}/state.json`, stateBytesMax);
  const state = read && JSON.parse(decodeUtf8(read.bytes));
  const pending: unknown = state?.pending_divine_questions;
  const names = Array.isArray(pending) ? pending.map((one) => one?.question_id) : [];
  return names.filter((name) => typeof name === "string").map((name) => `${newest}/${name}`);
}

/** About the size for a run of ten thousand tasks. */
const stateBytesMax = 4 * 1024 * 1024;
