import { expect, test } from "vitest";
import { parsePlan } from "../../plan/read/parse.ts";
import { readConfig } from "../file/read-config.ts";
import { defaultSettings } from "./default-settings.ts";
import { effectiveSettings, settingsOf } from "./effective-settings.ts";
import { taskSettings } from "./task-settings.ts";

const defaults = defaultSettings;
const config = (text: string) => readConfig(text).config.settings;

test("the setting from the nearest place wins, and each value says where it comes from", () => {
  const effective = effectiveSettings({
    defaults,
    user: { activeDevelopers: 1, land: "never", schedule: "levels", tick: true },
    config: config("active-developers: 2\nland: auto\nschedule: flow\nverify: npm test\n"),
    plan: { activeDevelopers: 4, land: "ask" },
    commandLine: { activeDevelopers: 8 },
  });
  expect(effective).toMatchObject({
    activeDevelopers: { value: 8, origin: "command line" },
    land: { value: "ask", origin: "plan" },
    schedule: { value: "flow", origin: "config" },
    verify: { value: ["npm test"], origin: "config" },
    tick: { value: true, origin: "user" },
    turnAttempts: { value: 3, origin: "default" },
  });
  expect(effective.budget).toBeUndefined();
  expect(settingsOf(effective)).toMatchObject({ activeDevelopers: 8, land: "ask", turnTimeoutMs: 900_000 });
});

test("a setting that is set nowhere has the documented default", () => {
  expect(settingsOf(effectiveSettings({ defaults }))).toEqual({
    activeDevelopers: 3,
    replyAttempts: 3,
    turnAttempts: 3,
    auditAttempts: 3,
    remediationAttempts: 10,
    turnTimeoutMs: 900_000,
    stallTimeoutMs: 300_000,
    verifyTimeoutMs: 1_800_000,
    checkpointIntervalMs: 300_000,
    delegationTimeoutMs: 600_000,
    delegationsPerAgent: 2,
    loopThreshold: 3,
    coordinatorMode: "on-conflict",
    schedule: "flow",
    onOutsideChange: "warn",
    verifyBase: true,
    onQuestion: "hold-affected",
    confirmDeletes: "declared",
    confirmSensitive: "declared",
    usageThresholdPercent: 10,
    approve: "ask",
    land: "ask",
    priority: "normal",
    tick: false,
  });
});

const { plan } = parsePlan(
  "---\nagent: ann\ntimeout: 20 m\n---\n## Tasks\n### A\n- Timeout: 1 h\n- Priority: low\n- Verify: make a\n### B\n",
);
const [a, b] = plan.tasks;

test.each([
  ["its own field", a, {}, { timeoutMs: 3_600_000, priority: "low", verify: ["make a"], agent: "ann" }],
  ["the plan's", b, {}, { timeoutMs: 1_200_000, agent: "ann" }],
  [
    "the configuration's, where the plan is silent",
    b,
    {},
    { verify: ["npm test"], priority: "high", attempts: 3 },
  ],
  [
    "what was typed, over everything",
    a,
    { agent: "bob", timeoutMs: 5000 },
    { agent: "bob", timeoutMs: 5000 },
  ],
])("a task has %s", (_what, task, commandLine, expected) => {
  const effective = effectiveSettings({
    defaults,
    config: config("verify: npm test\npriority: high\ntimeout: 1 m\n"),
    plan: plan.settings,
    commandLine,
  });
  expect(task && taskSettings(task, effective)).toMatchObject(expected);
});

test("a task without settings gets the default attempts, and no time limit of its own", () => {
  const [bare] = parsePlan("## Tasks\n- [ ] One\n").plan.tasks;
  const effective = effectiveSettings({ defaults });
  expect(bare && taskSettings(bare, effective)).toEqual({
    verify: [],
    priority: "normal",
    attempts: 3,
  });
});
