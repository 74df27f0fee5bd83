/** Each real program as the crew of a run, from a plan to commits: what it did, what it cost, and how it fails. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { crews } from "./crews.ts";
import { filesNamed, startPlan } from "./plan-run.ts";

for (const client of crews) {
  describe(`${client.title} ${client.version}`, () => {
    test("does a plan of two tasks, audited, to its commits, and what it used is counted", async ({
      skip,
    }) => {
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
      const spent = world.eventsOf("agent_complete").map(({ spent }) => spent as Record<string, number>);
      expect(spent.map(({ tokens }) => tokens)).toEqual([240, 120, 240, 120]);
      expect(spent.map(({ usd_micros = 0 }) => usd_micros > 0)).toEqual(spent.map(() => client.tellsCost));
      const sessions = filesNamed("session.txt", world.path("turns")).map((path) =>
        readFileSync(path, "utf8"),
      );
      expect(new Set(sessions).size).toBe(4);
      expect(model.seen.filter(({ conversation }) => conversation === undefined)).toEqual([]);
      expect(world.processes()).toEqual([]);
    });

    test("an auditor that tries to write leaves no byte anywhere, and its verdict counts", async ({
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
    });

    const failures = {
      "a refused key": {
        step: { status: 401, error: "invalid api key" },
        code: "AGENT_NOT_SIGNED_IN",
        says: client.title,
      },
      "a failing server": { step: { status: 400, error: "bad thing" }, code: "AGENT_API", says: "bad thing" },
      "a rate limit": { step: { rateLimit: { resetSeconds: 1 } }, code: "AGENT_RATE_LIMIT", says: "limit" },
    };
    for (const [what, { step, code, says }] of Object.entries(failures)) {
      test(`${what} is told as what it is, and nothing is committed`, async ({ skip }) => {
        const { world, ended } = await startPlan(client, { roles: { greeting: [step] }, skip });
        const { exitCode, stdout, stderr } = await ended;
        expect(exitCode, stdout + stderr + world.logText()).not.toBe(0);
        const crashed = world.eventsOf("agent_crashed");
        expect(crashed.length, world.logText()).toBeGreaterThan(0);
        for (const one of crashed)
          expect(one).toMatchObject({ code, message: expect.stringContaining(says) });
        expect(world.committedTasks()).toEqual([]);
      });
    }

    test("a program that is killed in the middle of its turn has failed, and the next turn does the task", async ({
      skip,
    }) => {
      const greeting = [
        { hang: "before" as const, times: 1 },
        client.write("greeting.txt", "Hello.\n"),
        { text: "READY FOR AUDIT: write-the-greeting" },
      ];
      const { world, model, ended } = await startPlan(client, { roles: { greeting }, skip });
      while (!model.seen.some(({ conversation }) => conversation === "greeting")) await sleep(50);
      for (const pid of programsOf(world.processes())) process.kill(pid, "SIGKILL");
      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).toBe(0);
      const [crashed, ...more] = world.eventsOf("agent_crashed");
      expect(more).toEqual([]);
      expect(["AGENT_SIGNAL", "AGENT_EXIT"]).toContain(crashed?.code);
      expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
      expect(world.processes()).toEqual([]);
    });
  });
}

/** Of the processes of a run those at the end: what holds them is above, and ends by itself. */
function programsOf(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return !/(^|\/)(unshare|setpriv|bwrap|sh)$/.test(words[0] ?? "");
    } catch {
      return false; // Ended meanwhile.
    }
  });
}
