/** The default settings. Settings that are not listed have no default and are unset. */
import type { Settings } from "../../plan/plan.ts";

const minuteMs = 60_000;

export const defaultSettings = {
  activeDevelopers: 3,
  replyAttempts: 3,
  turnAttempts: 3,
  auditAttempts: 3,
  remediationAttempts: 10,
  turnTimeoutMs: 15 * minuteMs,
  stallTimeoutMs: 5 * minuteMs,
  verifyTimeoutMs: 30 * minuteMs,
  checkpointIntervalMs: 5 * minuteMs,
  delegationTimeoutMs: 10 * minuteMs,
  delegationsPerAgent: 2,
  loopThreshold: 3,
  coordinatorMode: "on-conflict",
  schedule: "flow",
  onQuestion: "hold-affected",
  confirmDeletes: "declared",
  confirmSensitive: "declared",
  onOutsideChange: "warn",
  verifyBase: true,
  usageThresholdPercent: 10,
  approve: "ask",
  land: "ask",
  priority: "normal",
  tick: false,
} as const satisfies Settings;

/** Settings that always have a value. */
export type Defaulted = keyof typeof defaultSettings;
