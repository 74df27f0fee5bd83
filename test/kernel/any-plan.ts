/** Random plans: up to a dozen tasks, any graph, overlapping claims, tight limits. */
import fc from "fast-check";
import type { RunStarted } from "../../src/kernel/run-started.ts";
import { plan } from "./plan.ts";

const task = fc.record({
  after: fc.array(fc.nat(11), { maxLength: 3 }),
  writes: fc.subarray(["x.ts", "src/**", "src/a.ts", "y.ts"], { maxLength: 2 }),
  shares: fc.subarray(["database"]),
  words: fc.subarray(["audited", "unchecked"]),
  priority: fc.constantFrom("critical", "normal", "low"),
  isBacked: fc.boolean(),
  isDone: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
});

const settings = fc.record({
  active_developers: fc.integer({ min: 1, max: 3 }),
  reply_attempts: fc.integer({ min: 1, max: 3 }),
  turn_attempts: fc.integer({ min: 1, max: 3 }),
  audit_attempts: fc.integer({ min: 1, max: 3 }),
  schedule: fc.constantFrom("flow", "levels"),
  on_question: fc.constantFrom("hold-affected", "hold-all"),
  verify: fc.constantFrom([], ["make"]),
  budget: fc.constantFrom({}, { turns: 9 }, { tokens: 50 }),
});

export const anyPlan: fc.Arbitrary<RunStarted> = fc
  .record({ settings, tasks: fc.array(task, { minLength: 1, maxLength: 12 }) })
  .map(({ settings, tasks }) => {
    const lines = tasks.map(({ after, writes, shares, words, priority, isBacked, isDone }, at) => {
      const earlier = after.filter((other) => other < at).map((other) => `t${other}`);
      const line =
        `t${at} ${priority} ${words.join(" ")} ${isDone ? "done" : ""} after ${earlier.join(" ")} : ${writes.join(" ")} shares ${shares.join(" ")}`.trim();
      const auditors = words.includes("audited") ? { auditors: ["auditor", "spare", "dev"] } : {};
      return isBacked ? { line, agents: ["dev", "spare"], ...auditors } : line;
    });
    return plan(settings, ...lines);
  });
