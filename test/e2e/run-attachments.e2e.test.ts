/** Attachments: the workflows and documents that go into a task's prompt, as they were when the run began. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { opensSeen, RunWorld } from "./run-world.ts";

const plan = `---
main-workflow: tdd-incremental-orchestration
---

# A plan

## Tasks

### One

- Workflow: careful

As in @/specs/errors.md#answers.

### Two

- Depends-On: one
- Workflow: careful
`;

const files = {
  ".coxswain/workflows/careful.md": "---\ndescription: Use to be careful.\n---\n# Careful\n\nLook twice.\n",
  ".coxswain/docs/specs/errors.md":
    "# Errors\n\n## Answers\n\nNobody is a 404.\n\n## Other\n\nNot asked for.\n",
};

/** Hands in the prompt it received. */
const developer = `cat > "$COX_TASK.md"\necho "READY FOR AUDIT: $COX_TASK"\n`;
const auditor = `cat > "$HOME/seen/$COX_TASK.audit.md"\necho '{"verdict":"PASS","summary":"fine"}'\n`;

const world = (config = "") =>
  new RunWorld({
    plan,
    files,
    agents: { dev: developer, judge: auditor },
    roles: { judge: "auditor" },
    config: `verify: ls\n${opensSeen}${config}`,
  });

test("developer and auditor get the workflows and documents of their task from copies, and a changed copy is refused", async () => {
  const run = world("budget: 2 turns\n");
  const paused = await run.cox("run", "plan.md", "--yes");
  expect(paused.exitCode, paused.stderr).toBe(4);

  const copy = run.path("enclosures.json");
  const kept = readFileSync(copy, "utf8");
  writeFileSync(copy, kept.replace("Look twice.", "Look away."));
  const refused = await run.cox("resume", "--budget", "9 turns");
  expect(refused).toMatchObject({ exitCode: 5, stderr: expect.stringContaining("ENCLOSURES_CHANGED") });
  writeFileSync(copy, kept);

  run.write({
    ".coxswain/workflows/careful.md": "# Careless\n",
    ".coxswain/docs/specs/errors.md": "# Nothing\n",
  });
  const ended = await run.cox("resume", "--budget", "9 turns");
  expect(ended.exitCode, ended.stderr).toBe(0);

  const prompts = readdirSync(run.path("turns")).map((turn) => run.read(run.path(`turns/${turn}/prompt.md`)));
  expect(prompts.length).toBe(4);
  for (const prompt of prompts) {
    expect(prompt).toContain("## How this task is worked: careful\n\n# Careful\n\nLook twice.\n");
    expect(prompt).toContain("## How the whole plan is worked: tdd-incremental-orchestration\n");
    expect(prompt).not.toContain("Not asked for.");
  }
  const seen = run.git("show", `cox/${run.run}:one.md`);
  expect(seen).toContain("### /specs/errors.md#answers\n\n> ## Answers\n> \n> Nobody is a 404.\n");
  expect(prompts.filter((prompt) => prompt.includes("Nobody is a 404.")).length).toBe(2);
});

test("a plan that names an unknown workflow is not run, and a missing document is a warning", async () => {
  const run = world();
  run.write({ "plan.md": plan.replace("careful", "carefull").replace("errors.md", "error.md") });
  const refused = await run.cox("run", "plan.md", "--yes");
  expect(refused.exitCode, refused.stderr).toBe(1);
  expect(refused.stderr).toContain("✗ WORKFLOW_UNKNOWN  plan.md:11:13");
  expect(refused.stderr).toContain("Did you mean careful?");
  expect(refused.stderr).toContain("! REFERENCE_MISSING  plan.md:13:7");
  expect(refused.stderr).toContain("Did you mean @/specs/errors.md?");
  expect(run.findRun()).toBeUndefined();
});
