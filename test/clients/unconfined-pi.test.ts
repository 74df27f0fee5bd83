/**
 * pi asks nobody and knows no mode without writing. Where the system cannot hold it either, what it writes while it judges
 * or proposes does get to its desk: that it is held elsewhere is the system's doing, and here nothing of it is taken.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { withoutSandbox } from "../e2e/without-sandbox.ts";
import { piCrew } from "./crew-pi.ts";
import { filesNamed, startPlan } from "./plan-run.ts";
import { block, proposes } from "./printed-reply.ts";

test(`${piCrew.title} ${piCrew.version} writes at its desk without a sandbox; the write is reported, undone and on no branch`, async ({
  skip,
}) => {
  const under = withoutSandbox() ?? skip("a machine without a sandbox cannot be had here");
  const greeting = [
    piCrew.write("by-developer.txt", "not mine\n"),
    { text: block(proposes("greeting.txt", "Hello.\n")) },
  ];
  const farewell = [{ text: block(proposes("farewell.txt", "Goodbye.\n")) }];
  const audit = [
    piCrew.write("by-auditor.txt", "not mine\n"),
    { text: "AUDIT PASSED - write-the-greeting", delayMs: 500 },
  ];
  const roles = { greeting, farewell, audit };
  const { world, ended } = await startPlan(piCrew, { roles, works: "proposal", under, skip });
  const over = ended.then(() => true);
  const written: string[] = [];
  while (!(await Promise.race([over, sleep(50, false)])))
    written.push(...filesNamed("by-auditor.txt", world.folder));

  const { exitCode, stdout, stderr } = await ended;
  expect(exitCode, stdout + stderr + world.logText()).toBe(0);
  expect(written).not.toEqual([]);
  expect(world.logText()).toContain("AGENT_WROTE");
  expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
  expect(world.show("greeting.txt")).toBe("Hello.");
  const names = world.git("ls-tree", "-r", "--name-only", world.branch);
  expect(names).not.toMatch(/by-(developer|auditor)/);
  expect(world.processes()).toEqual([]);
});
