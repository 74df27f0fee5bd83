/** What a new user does on the first try, in a repository with uncommitted work. */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { RunWorld } from "./run-world.ts";

const threeBullets = `---
verify: sh check.sh
---
## Tasks
- [ ] Write the greeting
- [ ] Write the farewell
- [ ] Write the index
  - Needs: write-the-greeting, write-the-farewell
`;

/** Ten lines that any model could stand behind. */
const tenLines = `#!/bin/sh
# Reads the prompt, does the task at the desk it is started in, says what it did.
prompt=$(cat)
case "$prompt" in *"Your task"*) ;; *) exit 1 ;; esac
sleep 0.3
case $COX_TASK in
  write-the-index) ls ./*.txt > index.txt ;;
  *) echo "$COX_TASK" > "$COX_TASK.txt" ;;
esac
echo "Wrote it."
`;

test("a new user gets from cox init to a landed run with three bullets and an agent of ten lines, despite a kill and a rollback", async () => {
  const world = new RunWorld({
    plan: "",
    files: { "README.md": "Mine.\n", "check.sh": "test -f README.md\n" },
  });
  world.git("rm", "-q", "-r", ".coxswain", "plan.md");
  world.git("commit", "-q", "-m", "as it was before");
  world.write({ "README.md": "Mine, and not committed.\n", "notes.txt": "mine\n" });

  const said = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await world.cox(...args);
    expect(exitCode, `cox ${args.join(" ")}\n${stdout}${stderr}`).toBe(0);
    return stdout;
  };
  expect(await said("init", "--yes")).toContain(".coxswain/config.yaml");
  writeFileSync(join(world.folder, "agent.sh"), tenLines);
  const crew = `\nagents:\n  dev:\n    driver: command\n    command: [sh, ${join(world.folder, "agent.sh")}]\n`;
  appendFileSync(join(world.root, ".coxswain/config.yaml"), crew);
  world.write({ "plan.md": threeBullets });
  expect(await said("check", "plan.md")).toContain("can be run");
  const status = world.git("status", "--porcelain");

  const running = world.start("run", "plan.md", "--yes");
  onTestFinished(() => void running.child.kill("SIGKILL"));
  while (world.findRun() === undefined || world.eventsOf("agent_started").length < 2) await sleep(10);
  running.child.kill("SIGKILL");
  await running.ended;
  expect(await said("status")).toContain("0 of 3");
  expect(await said("why", "write-the-index")).toContain("write-the-greeting");
  expect(await said("resume")).toContain("3 of 3 tasks");
  expect(await said("log")).toContain("write-the-index");
  expect(await said("diff", "write-the-index")).toContain("index.txt");
  expect(world.git("status", "--porcelain")).toBe(status);

  const refused = await world.cox("rollback", "write-the-greeting", "--yes");
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("write-the-index");
  await said("rollback", "write-the-greeting", "--cascade", "--yes");
  expect(world.git("ls-tree", "--name-only", world.branch)).not.toContain("greeting");

  expect(await said("land", "--yes")).toContain("landed");
  expect(world.read("write-the-farewell.txt")).toBe("write-the-farewell\n");
  expect(world.read("README.md")).toBe("Mine, and not committed.\n");
  expect(world.read("notes.txt")).toBe("mine\n");
  expect(world.git("rev-parse", "main")).toBe(world.git("rev-parse", world.branch));
  expect(world.git("status", "--porcelain")).toBe(status);
  expect(await said("log", "--verify")).toBeTruthy();
  expect(world.processes()).toEqual([]);
});
