/** What a reply leaves open, in the shipped program: the user is asked, and nothing is done before the answer. */
import { expect, test } from "vitest";
import { RunWorld } from "./run-world.ts";

const header = '---\nverify: "true"\naudit: none\n---\n## Tasks\n';

/** Replies with the same object in every turn. */
function replying(reply: object): string {
  return `prompt=$(cat)
tag=$(printf '%s\\n' "$prompt" | grep -oE 'cox-[0-9a-z]+' | tail -1)
echo done > "$COX_TASK.txt"
printf '\`\`\`%s\\n%s\\n\`\`\`\\n' "$tag" '${JSON.stringify(reply)}'
`;
}

test("an open note holds its task until it is answered, then the same reply is accepted, and cox why shows the note", async () => {
  const note = { description: "emails are compared without regard to case", category: "requirements" };
  const settled = { description: "named as customers is", status: "resolved", resolution: "as there" };
  const world = new RunWorld({
    plan: `${header}- [ ] one\n- [ ] two\n  - Depends-On: one\n`,
    agents: { dev: replying({ specialist_summary: "It is there.", notes: [note, settled] }) },
  });
  expect((await world.cox("run", "plan.md", "--yes", "--no-input")).exitCode).toBe(3);
  expect(world.eventsOf("task_complete")).toEqual([]);
  const { stdout } = await world.cox("questions");
  expect(stdout).toContain("It leaves a note open: emails are compared without regard to case");
  expect(stdout).toContain("Category: requirements");
  expect((await world.cox("why", "one")).stdout).toContain("emails are compared without regard to case");

  expect((await world.cox("answer", "q1", "yes, as the login page does")).exitCode).toBe(0);
  expect((await world.cox("resume", "--no-input")).exitCode).toBe(3);
  expect(world.eventsOf("task_complete")).toMatchObject([{ task: "one" }]);
  expect((await world.cox("why", "one")).stdout).toContain(
    "note, settled by its agent: named as customers is",
  );
});

test.each(["AGENT COMPLETE: x", "OUT_OF_SCOPE: a -> b", "ROLLBACK REQUIRED: one", "HEALTH AUDIT: HEALTHY"])(
  "work that a developer ends with %s is never committed: after some attempts the user is asked",
  async (signal) => {
    const world = new RunWorld({
      plan: `${header}- [ ] one\n`,
      agents: { dev: replying({ specialist_summary: "It is there.", signal }) },
    });
    expect((await world.cox("run", "plan.md", "--yes", "--no-input")).exitCode).not.toBe(0);
    expect(world.eventsOf("task_commit_recorded")).toEqual([]);
    expect(world.eventsOf("reply_refused")).toHaveLength(3);
    expect((await world.cox("why", "one")).stdout).toContain("is not a signal that a developer can give");
  },
);

test("the exported schemas offer no signal and no field that nothing acts on", async () => {
  const world = new RunWorld({ plan: `${header}- [ ] one\n`, agents: { dev: "true" } });
  const reply = (await world.cox("schema", "reply")).stdout;
  expect(reply).toContain("READY FOR AUDIT");
  for (const word of [
    "DELEGATION REQUEST",
    "ROLLBACK",
    "AGENT COMPLETE",
    "OUT_OF_SCOPE",
    "HEALTH",
    "delegations",
  ])
    expect(reply).not.toContain(word);
  expect((await world.cox("schema", "auditor")).stdout).not.toMatch(/ROLLBACK|READY FOR AUDIT|"signal"/);
});
