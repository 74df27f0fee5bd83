import { expect, test } from "vitest";
import { given } from "../../../test/kernel/given.ts";
import { asId, plan } from "../../../test/kernel/plan.ts";
import { taskOf } from "../../kernel/rules/tasks.ts";
import type { RunSettings } from "../../kernel/run-started.ts";
import { rulesOf } from "./rules.ts";

const rules = (settings: Partial<RunSettings>) => {
  const { state } = given(plan(settings, { line: "a : a.ts", deletes: ["b.ts"] }, "b"));
  return rulesOf(state, taskOf(state, asId("a")));
};

test("a task's changes are judged by the plan's rules for deletes and sensitive files, and by the task's own claims", () => {
  expect(rules({ confirm_deletes: "never", confirm_sensitive: "never" })).toMatchObject({
    ...{ deletes: "never", sensitive: "never" },
    ...{ declaredDeletes: ["b.ts"], writes: ["a.ts", "b.ts"], verify: ["npm test"] },
  });
  for (const confirm_sensitive of ["ask", "declared"] as const)
    expect(rules({ confirm_sensitive })).toMatchObject({ deletes: "declared", sensitive: "ask" });
});
