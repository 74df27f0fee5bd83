/** A plan on a commit whose checks already fail: this is reported before any agent is blamed. */
import { expect, test } from "vitest";
import { Crew, work } from "./crew.ts";

test("a base that fails its verify commands is reported in the output, the prompt and the question, and stops nothing", async () => {
  const crew = new Crew({
    tasks: "- [ ] one",
    script: { one: [work("one.txt")] },
    config: ["verify: test -f missing.txt", "attempts: 1"],
  });
  const ended = await crew.cox("run", "plan.md", "--yes");
  expect(ended.exitCode).toBe(3);
  expect(ended.stderr + ended.stdout).toContain(
    "the verify commands already fail at the base, before any agent",
  );
  const [base, task] = crew.eventsOf("verification_failed");
  expect(base).toMatchObject({ work: { of: "base" } });
  expect(task).toMatchObject({ work: { of: "task", task: "one" } });
  expect(crew.events().findIndex(({ event }) => event === "verification_failed")).toBeLessThan(
    crew.events().findIndex(({ event }) => event === "agent_dispatched"),
  );
  expect(crew.eventsOf("question_asked")[0]?.text).toContain("as they did at the base");
  const status = JSON.parse((await crew.cox("status", "--json")).stdout);
  expect(status).toMatchObject({ base_verify: { passed: false } });
  expect((await crew.cox("status")).stdout).toContain("failed at the base");
});

test("a plan that repairs its failing base is done, and `verify-base: false` skips the check of the base", async () => {
  for (const config of [[], ["verify-base: false"]]) {
    const crew = new Crew({
      tasks: "- [ ] one",
      script: { one: [work("one.txt")] },
      config: ["verify: test -f one.txt", ...config],
    });
    const ended = await crew.cox("run", "plan.md", "--yes");
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(crew.eventsOf("verification_failed")).toHaveLength(config.length === 0 ? 1 : 0);
  }
});
