/** An agent that weakens its own checks is held for a person, whatever the plan lets it write. */
import { expect, test } from "vitest";
import { Crew, type CrewOptions, work } from "./crew.ts";

const manifest = (test: string) => `${JSON.stringify({ name: "shop", scripts: { test } }, null, 2)}\n`;

async function asked(options: CrewOptions): Promise<unknown> {
  const crew = new Crew(options);
  const ended = await crew.cox("run", "plan.md", "--yes");
  expect(ended.exitCode, ended.stderr).toBe(3);
  expect(crew.eventsOf("task_commit_recorded")).toEqual([]);
  const [request] = crew.eventsOf("confirmation_requested");
  expect((await crew.cox("confirm", "q1")).exitCode).toBe(0);
  const resumed = await crew.cox("resume");
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  return request;
}

test("a change of a script that verify runs needs a yes even where the plan lets the task write it", async () => {
  const request = await asked({
    tasks: "- [ ] one\n  - Writes: package.json",
    script: { one: [work("package.json", manifest("echo fine"))] },
    config: ["verify: npm test"],
    files: { "package.json": manifest("test -f package.json") },
  });
  expect(request).toMatchObject({ items: [{ code: "VERIFY_CHANGED", path: "package.json" }] });
});

test("a task may not change what another task's verify command runs", async () => {
  const request = await asked({
    tasks: "- [ ] one\n  - Writes: ci.sh\n- [ ] two\n  - Depends-On: one\n  - Verify: sh ci.sh",
    script: { one: [work("ci.sh", "true\n")], two: [work("two.txt")] },
    config: ["verify: ls ci.sh"],
    files: { "ci.sh": "test -f two.txt\n" },
  });
  expect(request).toMatchObject({ items: [{ code: "VERIFY_CHANGED", path: "ci.sh" }] });
});

test("emptying a test file needs a yes, as deleting it does", async () => {
  const request = await asked({
    tasks: "- [ ] one\n  - Writes: test/a.test.mjs",
    script: { one: [work("test/a.test.mjs", "")] },
    config: ["verify: node --test test/"],
    files: { "test/a.test.mjs": 'import test from "node:test";\ntest("a", () => {});\n' },
  });
  expect(request).toMatchObject({ items: [{ code: "TEST_EMPTIED", path: "test/a.test.mjs" }] });
});
