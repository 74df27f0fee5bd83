/** Applies an event to the state. This is the only way a state changes, and it changes in place. */

import type { Event, EventName, Events } from "./event.ts";
import * as availability from "./rules/agent/availability.ts";
import * as integration from "./rules/branch/integration.ts";
import * as rollback from "./rules/branch/rollback.ts";
import * as audits from "./rules/evidence/audits.ts";
import * as verification from "./rules/evidence/verification.ts";
import * as questions from "./rules/questions.ts";
import * as run from "./rules/run/run.ts";
import { onDeleteRequested } from "./rules/turn/reply-record.ts";
import * as turns from "./rules/turn/turns.ts";
import type { MutableState } from "./state.ts";

/** `time` is run time, `at` is wall time. */
export type Occurred = Event & { readonly seq: number; readonly time: number; readonly at: number };

export function evolve(state: MutableState, occurred: Occurred): void {
  state.seq = occurred.seq;
  state.time = Math.max(state.time, occurred.time);
  state.at = occurred.at;
  rememberRequest(state, occurred);
  const consequence = consequences[occurred.event] as (state: MutableState, data: unknown) => void;
  consequence(state, occurred.data);
}

/** A new event does not compile until it has a line here. */
const consequences: { readonly [Name in EventName]: (state: MutableState, data: Events[Name]) => void } = {
  run_started: run.onRunStarted,
  session_started: (state, data) => {
    run.onSession(state, data);
    availability.onSessionForAgents(state);
  },
  session_ended: () => {},
  state_reconstructed: () => {},
  state_recovery_needed: () => {},
  confinement_found: (state, { holds, without_layers }) => {
    state.isConfined = holds;
    state.isWithoutLayers = without_layers ?? false;
  },
  run_paused: run.onPaused,
  run_resumed: run.onResumed,
  run_stopped: run.onStopped,
  run_finished: (state, { outcome }) => {
    state.status = { name: "finished", outcome };
  },
  agent_dispatched: turns.onDispatched,
  agent_started: (state, { turn, pid, started }) => {
    turns.ofState(state, turn).process = { pid, started };
  },
  agent_checkpoint: turns.onCheckpoint,
  agent_complete: turns.onComplete,
  agent_timeout: turns.onLost,
  agent_crashed: turns.onLost,
  agent_cancelled: turns.onLost,
  agent_overstepped: () => {},
  agent_rested: availability.onRested,
  agent_ruled_out: availability.onRuledOut,
  agent_returned: availability.onReturned,
  outside_changed: turns.onOutsideChanged,
  developer_dispatched: turns.onDeveloperDispatched,
  developer_checkpoint: turns.onDeveloperCheckpoint,
  delete_requested: onDeleteRequested,
  reply_refused: turns.onRefused,
  task_incomplete: audits.onIncomplete,
  developer_ready_for_audit: audits.onReadyForAudit,
  verification_passed: verification.onVerificationPassed,
  verification_failed: verification.onVerificationFailed,
  audit_passed: audits.onAuditPassed,
  auditor_fail: audits.onAuditFailed,
  auditor_blocked: audits.onBlocked,
  integration_merged: integration.onMerged,
  integration_conflicted: integration.onConflicted,
  integration_prepared: integration.onPrepared,
  task_commit_recorded: integration.onCommitRecorded,
  task_complete: integration.onTaskComplete,
  task_failed: questions.onFailed,
  task_retried: questions.onRetried,
  task_aborted: rollback.onAborted,
  agent_seeks_guidance: questions.onGuidance,
  divine_response_received: questions.onAnswered,
  agent_resumes_with_guidance: questions.onResumesWithGuidance,
  question_asked: questions.onQuestion,
  confirmation_requested: questions.onConfirmationRequested,
  confirmation_given: questions.onConfirmed,
  confirmation_denied: questions.onDenied,
  question_withdrawn: questions.onWithdrawn,
  rollback_requested: rollback.onRollbackRequested,
  rollback_prepared: rollback.onRollbackPrepared,
  task_rolled_back: rollback.onRolledBack,
  rollback_blocked: () => {},
  rollback_failed: rollback.onRollbackFailed,
  landing_prepared: (state, { branch, from, to, changeset }) => {
    state.landing = { branch, from, to, changeset };
  },
  run_landed: (state, landed) => {
    state.landing = undefined;
    state.landed = [...state.landed, landed];
  },
  landing_undone: (state) => {
    state.landing = undefined;
  },
};

function rememberRequest(state: MutableState, { data }: Event): void {
  const request = "by" in data && typeof data.by === "object" ? data.by.request : undefined;
  if (request !== undefined) state.requests.add(request);
}

/** Every event name that a log of this version can contain. */
export const eventNames: ReadonlySet<string> = new Set(Object.keys(consequences));
