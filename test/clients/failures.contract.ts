/**
 * What a model's server refuses, met by real programs in a run, by their own drivers and over ACP alike: it is told as what
 * it is, and a limit leads to a rest.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { CrewClient } from "./crew.ts";
import { startPlan } from "./plan-run.ts";

export function failures(client: CrewClient): void {
  describe(`${client.title} ${client.version}`, () => {
    const refusals = {
      "a refused key": {
        step: { status: 401, error: "invalid api key" },
        code: "AGENT_NOT_SIGNED_IN",
        says: client.title,
      },
      "a failing server": { step: { status: 400, error: "bad thing" }, code: "AGENT_API", says: "bad thing" },
    };
    for (const [what, { step, code, says }] of Object.entries(refusals)) {
      test(`reports ${what} with its own code, and nothing is committed`, async ({ skip }) => {
        const { world, ended } = await startPlan(client, {
          roles: { greeting: [step] },
          turnAttempts: 1,
          skip,
        });
        const { exitCode, stdout, stderr } = await ended;
        expect(exitCode, stdout + stderr + world.logText()).not.toBe(0);
        const crashed = world.eventsOf("agent_crashed");
        expect(crashed.length, world.logText()).toBeGreaterThan(0);
        for (const one of crashed)
          expect(one).toMatchObject({ code, message: expect.stringContaining(says) });
        expect(world.committedTasks()).toEqual([]);
      });
    }

    test("rests after a rate limit until the limit is lifted or the run is stopped", async ({ skip }) => {
      const greeting = [{ rateLimit: { resetSeconds: 1 } }];
      const { world, ended } = await startPlan(client, { roles: { greeting }, turnAttempts: 1, skip });
      const over = ended.then(() => true);
      const isResting = () => world.findRun() !== undefined && world.eventsOf("agent_rested").length > 0;
      while (!isResting() && !(await Promise.race([over, sleep(50, false)])));
      await world.cox("stop");
      const { stdout, stderr } = await ended;
      const told = world.eventsOf("agent_crashed");
      expect(told[0], stdout + stderr + world.logText()).toMatchObject({
        code: "AGENT_RATE_LIMIT",
        message: expect.stringContaining("limit"),
      });
      expect(/It resets at 20\d\d-/.test(String(told[0]?.message))).toBe(client.tellsReset);
      // A reset that was told is believed; else it rests for half a minute.
      const [rest] = world.eventsOf("agent_rested");
      if (client.tellsReset) expect(Number(rest?.for_ms)).toBeLessThan(10_000);
      else expect(rest).toMatchObject({ for_ms: 30_000 });
      expect(world.committedTasks()).toEqual([]);
      expect(world.processes()).toEqual([]);
    });
  });
}
