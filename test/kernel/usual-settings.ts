/** Settings for tests that do not set any: the defaults of a user. */
import type { RunSettings } from "../../src/kernel/run-started.ts";

export const usualSettings: RunSettings = {
  active_developers: 3,
  reply_attempts: 3,
  turn_attempts: 3,
  audit_attempts: 3,
  turn_timeout_ms: 900_000,
  stall_timeout_ms: 300_000,
  checkpoint_interval_ms: 300_000,
  schedule: "flow",
  on_question: "hold-affected",
  confirm_deletes: "declared",
  confirm_sensitive: "declared",
  budget: {},
  setup: [],
  verify: [],
};
