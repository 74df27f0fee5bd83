/** The words that this version of the program knows, and the records of a log in these words. */
import type { LogRecord } from "../durable/scan.ts";
import type { EventName } from "../kernel/event.ts";
import type { Recorded } from "./journal.ts";
import { eventVersion, type SomeEvent, type Upcasters, upcast, upcasters } from "./upcast.ts";

export interface Vocabulary {
  readonly version: number;
  readonly upcasters: Upcasters;
  knows(event: string): boolean;
}

/** A record that some newer version, or somebody else, wrote. */
export type Unknown = Omit<Recorded, "event" | "data"> & SomeEvent & { readonly v: number };

/** In today's words; nothing when there are none for it. */
export function understood(record: LogRecord, vocabulary: Vocabulary): Recorded | undefined {
  const now = upcast(record, vocabulary);
  if (!now || !vocabulary.knows(now.event)) return undefined;
  const { event, data } = now;
  return { event, data, ...momentAndPlace(record) } as Recorded;
}

export function asWritten(record: LogRecord): Unknown {
  const { v, event, data } = record;
  return { v, event, data, ...momentAndPlace(record) };
}

function momentAndPlace({ at, t = 0, seq, fence }: LogRecord) {
  return { at: Date.parse(at), time: t, seq, fence };
}

/** Every event of the kernel: one that is missing here does not compile. */
const names: Readonly<Record<EventName, true>> = {
  run_started: true,
  session_started: true,
  state_reconstructed: true,
  state_recovery_needed: true,
  run_paused: true,
  run_resumed: true,
  run_stopped: true,
  run_finished: true,
  agent_dispatched: true,
  agent_started: true,
  agent_checkpoint: true,
  agent_complete: true,
  agent_timeout: true,
  agent_crashed: true,
  agent_cancelled: true,
  agent_overstepped: true,
  developer_dispatched: true,
  developer_checkpoint: true,
  reply_refused: true,
  task_incomplete: true,
  developer_ready_for_audit: true,
  verification_passed: true,
  verification_failed: true,
  audit_passed: true,
  auditor_fail: true,
  auditor_blocked: true,
  integration_merged: true,
  integration_conflicted: true,
  integration_prepared: true,
  task_commit_recorded: true,
  task_complete: true,
  task_failed: true,
  task_retried: true,
  task_aborted: true,
  agent_seeks_guidance: true,
  divine_response_received: true,
  agent_resumes_with_guidance: true,
  question_asked: true,
  confirmation_requested: true,
  confirmation_given: true,
  confirmation_denied: true,
  question_withdrawn: true,
  rollback_requested: true,
  rollback_prepared: true,
  task_rolled_back: true,
  rollback_blocked: true,
  rollback_failed: true,
  landing_prepared: true,
  run_landed: true,
  landing_undone: true,
};

export const runVocabulary: Vocabulary = {
  version: eventVersion,
  upcasters,
  knows: (event) => Object.hasOwn(names, event),
};
