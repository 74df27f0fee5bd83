/** A long run of the real program: many quick tasks in three slots, and everything it keeps about them. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { sized } from "../sized.ts";
import { Crew, work } from "./crew.ts";

const tasksMany = sized({ sample: 30, campaign: 200 });

test(`a run of ${tasksMany} quick tasks in three slots ends with exit 0, and all are committed`, async () => {
  const names = Array.from({ length: tasksMany }, (_, at) => `task-${at}`);
  const crew = new Crew({
    tasks: names.map((name) => `- [ ] ${name}`).join("\n"),
    script: { default: [work("$COX_TASK.txt")] },
    config: ['verify: "true"', "audit: none", "active-developers: 3"],
  });
  const { exitCode, stdout, stderr } = await crew.cox("run", "plan.md", "--yes", "--no-input");
  expect(exitCode, `${stdout}\n${stderr}`).toBe(0);
  expect(crew.committedTasks().toSorted()).toEqual(names.toSorted());
  expect(crew.logDamage()).toBeUndefined();
  expect(readdirSync(crew.path("turns"))).toHaveLength(tasksMany);
  expect((await crew.cox("status")).exitCode).toBe(0);
});
