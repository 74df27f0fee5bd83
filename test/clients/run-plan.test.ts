/** Each real program as the crew of a run, from a plan to commits: what it did, what it cost, and how it fails. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { TurnSpending } from "../../src/kernel/event.ts";
import { crews } from "./crews.ts";
import { filesNamed, startPlan } from "./plan-run.ts";
import { saw } from "./seen.ts";

for (const client of crews) {
  describe(`${client.title} ${client.version}`, () => {
    test("does and commits a plan of two audited tasks, and its usage is counted", async ({ skip }) => {
      const { world, model, ended } = await startPlan(client, { skip });
      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).toBe(0);
      expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
      expect(world.show("greeting.txt")).toBe("Hello.");
      expect(world.show("farewell.txt")).toBe("Hello.\nGoodbye.");
      expect(world.eventsOf("agent_crashed")).toEqual([]);
      expect(world.eventsOf("audit_passed").map(({ by }) => by)).toEqual(["tess", "tess"]);
      expect(world.eventsOf("agent_checkpoint")).toMatchObject([{ text: "begun" }]);
      // Two developers' turns of two requests, two audits of one: 100 in and 20 out for each request.
      const spent = world.eventsOf("agent_complete").map(({ spent }) => spent as TurnSpending);
      expect(spent.map(({ tokens }) => tokens)).toEqual([240, 120, 240, 120]);
      // 200 in and 40 out at one dollar and five, where it is reckoned; a program's own cost is its own affair.
      for (const { usd_micros = 0, usd_estimated = false } of spent) {
        expect(usd_micros).toBeGreaterThan(0);
        expect(usd_estimated).toBe(!client.tellsCost);
      }
      if (client.driver === "codex") expect(spent[0]?.usd_micros).toBe(400);
      const sessions = filesNamed("session.txt", world.path("turns")).map((path) =>
        readFileSync(path, "utf8"),
      );
      expect(new Set(sessions).size).toBe(4);
      expect(model.seen.filter(({ conversation }) => conversation === undefined)).toEqual([]);
      expect(world.processes()).toEqual([]);
      saw(client, { usage: "yes", cost: client.tellsCost ? "yes" : "estimate" });
    });

    test("leaves no byte anywhere when it tries to write as an auditor, and its verdict counts", async ({
      skip,
    }) => {
      const audit = [
        client.write("by-auditor.txt", "not mine\n"),
        client.shell("echo not mine > by-shell.txt; echo not mine > ../by-shell.txt"),
        { text: "AUDIT PASSED - write-the-greeting" },
      ];
      const { world, model, ended } = await startPlan(client, { roles: { audit }, skip });
      const during: string[] = [];
      const look = async () => {
        const { folder } = world;
        during.push(...filesNamed("by-auditor.txt", folder), ...filesNamed("by-shell.txt", folder));
      };
      const over = ended.then(() => true);
      while (!(await Promise.race([over, sleep(50, false)]))) await look();
      await look();
      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).toBe(0);
      expect(during).toEqual([]);
      expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
      const results = model.seen
        .filter(({ conversation }) => conversation === "greetingAudit")
        .flatMap(({ turns }) => turns.flatMap((turn) => (turn.role === "user" ? turn.results : [])));
      expect(results.length).toBeGreaterThan(0);
      saw(client, { "read-only": "yes" });
    });
  });
}
