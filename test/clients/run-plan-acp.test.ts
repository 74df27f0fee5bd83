/**
 * Each real agent over ACP as the crew of a run. What takes them seconds is tried in one run: a program that is killed, the
 * turn that does its task, an auditor that tries to write, and the commits.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { acpCrews } from "./crew-acp.ts";
import { killPrograms } from "./kill-programs.ts";
import { filesNamed, startPlan } from "./plan-run.ts";
import { saw } from "./seen.ts";

for (const client of acpCrews) {
  describe(`${client.title} ${client.version}`, () => {
    test("does and commits a plan of two audited tasks, though it is killed and its auditor tries to write", async ({
      skip,
    }) => {
      const greeting = [
        { hang: "before" as const, times: 1 },
        { ...client.write("greeting.txt", "Hello.\n"), text: "I begin.\nCheckpoint: begun" },
        { text: "Done.\nREADY FOR AUDIT: write-the-greeting" },
      ];
      // The same tools write for the developers of these tasks: that nothing comes of it is the auditor's walls.
      const audit = [
        client.write("by-auditor.txt", "not mine\n"),
        client.shell("echo not mine > by-shell.txt; echo not mine > ../by-shell.txt"),
        { text: "AUDIT PASSED - write-the-greeting" },
      ];
      const { world, model, ended } = await startPlan(client, { roles: { greeting, audit }, skip });
      const over = ended.then(() => true);
      const isAsked = () => model.seen.some(({ conversation }) => conversation === "greeting");
      while (!isAsked() && !(await Promise.race([over, sleep(50, false)])));
      killPrograms(world.processes());
      const written: string[] = [];
      do {
        for (const name of ["by-auditor.txt", "by-shell.txt"])
          written.push(...filesNamed(name, world.folder));
      } while (!(await Promise.race([over, sleep(50, false)])));

      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).toBe(0);
      expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
      expect(world.show("greeting.txt")).toBe("Hello.");
      expect(world.show("farewell.txt")).toBe("Hello.\nGoodbye.");
      expect(written).toEqual([]);
      const [killed, ...lost] = world.eventsOf("agent_crashed").map(({ code }) => code);
      expect(["AGENT_SIGNAL", "AGENT_EXIT"]).toContain(killed);
      // One that is killed before it kept its conversation cannot go on with it, says so, and begins anew.
      for (const code of lost) expect(code).toBe("AGENT_SESSION_LOST");
      expect(world.eventsOf("audit_passed").map(({ by }) => by)).toEqual(["tess", "tess"]);
      expect(world.eventsOf("agent_checkpoint")).toMatchObject([{ text: "begun" }]);
      const spent = world.eventsOf("agent_complete").map(({ spent }) => spent as Record<string, number>);
      const [first, ...others] = spent.map(({ tokens }) => tokens);
      // It may go on with the conversation that it had when it was killed.
      expect([client.tokens(2), client.tokens(2, { isGoneOn: true })]).toContain(first);
      expect(others).toEqual([3, 2, 1].map((count) => client.tokens(count)));
      const isReported = spent.map(({ usd_micros = 0, usd_estimated }) => usd_micros > 0 && !usd_estimated);
      // Nor is the cost of such a turn told apart from that of the ones before it.
      expect(isReported.slice(1)).toEqual(others.map(() => client.tellsCost));
      const sessions = world
        .eventsOf("agent_complete")
        .map(({ turn }) => world.read(world.path(`turns/${turn}/session.txt`)));
      expect(new Set(sessions).size).toBe(4);
      const refused = model.seen
        .filter(({ conversation }) => conversation === "greetingAudit")
        .flatMap(({ turns }) => turns.flatMap((turn) => (turn.role === "user" ? turn.results : [])));
      expect(refused.length).toBeGreaterThan(0);
      expect(model.seen.filter(({ conversation }) => conversation === undefined)).toEqual([]);
      expect(world.processes()).toEqual([]);
      const cost = client.tellsCost ? "yes" : "estimate";
      saw(client, { "read-only": "yes", usage: "yes", cost });
    });
  });
}
