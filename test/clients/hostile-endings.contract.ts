/**
 * Turns of real programs that end badly, by their own drivers and over ACP alike: each is told as what it is, and leads to
 * where it should. A run of these takes them long, so several bad endings are met in one.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { CrewClient } from "./crew.ts";
import { killPrograms } from "./kill-programs.ts";
import { filesNamed, startPlan } from "./plan-run.ts";
import { block, proposes } from "./printed-reply.ts";
import { saw } from "./seen.ts";

export function hostileEndings(client: CrewClient): void {
  describe(`${client.title} ${client.version}`, () => {
    test("finishes its task after a kill halfway, a cut-off stream and an unreadable reply", async ({
      skip,
    }) => {
      const greeting = [
        // The first turn writes, and hangs when its model is asked to go on. Nobody writes it again.
        { ...client.write("part.txt", "half\n"), times: 1 },
        { text: `${ready}\nand more`, truncate: true as const, times: 1 },
        { text: block(greets.replace("}]", "},]")), times: 1 },
        { text: block(greets) },
        { hang: "before" as const, times: 1 },
        { text: "That was all." },
      ];
      const { world, model, ended } = await startPlan(client, { roles: { greeting }, turnAttempts: 4, skip });
      const over = ended.then(() => true);
      const isHanging = () => model.seen.filter(({ conversation }) => conversation === "greeting").length > 1;
      while (!isHanging() && !(await Promise.race([over, sleep(50, false)])));
      killPrograms(world.processes());
      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).toBe(0);

      const [killed, ...cut] = world.eventsOf("agent_crashed");
      expect(["AGENT_SIGNAL", "AGENT_EXIT"]).toContain(killed?.code);
      // Some ask their model again by themselves; others give up. None takes it for an answer.
      for (const { code } of cut) expect(["AGENT_API", "AGENT_NO_RESULT", "AGENT_EXIT"]).toContain(code);
      const transcript = readFileSync(world.path(`turns/${killed?.turn}/transcript.jsonl`), "utf8");
      expect(transcript).toContain("the turn failed");

      const refused = world.eventsOf("reply_refused");
      expect(refused).toHaveLength(1);
      const [problem] = (refused[0]?.problems ?? []) as { code: string }[];
      expect(problem?.code).toBe("JSON_SYNTAX");
      const asked = model.seen.filter(({ conversation }) => conversation === "greeting").at(-1);
      expect(JSON.stringify(asked?.turns)).toContain("JSON_SYNTAX");

      expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
      expect(world.show("greeting.txt")).toBe("Hello.");
      expect(world.show("part.txt")).toBe("half");
      expect(world.processes()).toEqual([]);
      // Asked again it may go on with the conversation that it had, where it can.
      const [last, before] = [...world.eventsOf("agent_complete")]
        .filter(({ turn }) => /^write-the-greeting\.\d+\.\d+$/.test(String(turn)))
        .reverse()
        .map(({ turn }) =>
          readFileSync(world.path(`turns/${turn}/session.txt`), "utf8")
            .split("~")[0]
            ?.trim(),
        );
      const resume = last === before ? "yes" : "no";
      saw(client, { "structured reply": "yes", resume, "partial work kept": "yes" });
    });

    test("has its turn ended with all its processes when the model hangs, and reports a prompt that is too long", async ({
      skip,
    }) => {
      const tooLong = { status: 400, error: client.tooLong.message, ...client.tooLong.type };
      const greeting = [{ hang: "before" as const, times: 1 }, tooLong];
      const settings = `stall-timeout: ${client.silenceSeconds} s\n`;
      const { world, ended } = await startPlan(client, { roles: { greeting }, settings, skip });
      const left: number[][] = [];
      const over = ended.then(() => true);
      while (!(await Promise.race([over, sleep(50, false)]))) {
        const [late] =
          left.length === 0 && world.findRun() !== undefined ? world.eventsOf("agent_timeout") : [];
        if (late) left.push(world.processes().filter((pid) => isOf(pid, String(late.turn))));
      }
      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).not.toBe(0);
      expect(world.eventsOf("agent_timeout")).toMatchObject([{ limit: "stall" }]);
      expect(left).toEqual([[]]);
      const crashed = world.eventsOf("agent_crashed");
      expect(crashed.length, world.logText()).toBeGreaterThan(0);
      const told = { code: "AGENT_CONTEXT", message: expect.stringContaining(client.tooLong.says) };
      for (const one of crashed) expect(one).toMatchObject(told);
      expect(world.committedTasks()).toEqual([]);
      expect(filesNamed("greeting.txt", world.root)).toEqual([]);
      expect(world.processes()).toEqual([]);
      saw(client, { cancel: "yes" });
    });
  });
}

const ready = "READY FOR AUDIT: write-the-greeting";
const greets = proposes("greeting.txt", "Hello.\n");

function isOf(pid: number, turn: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`COX_TURN=${turn}\0`);
  } catch {
    return false; // Ended meanwhile.
  }
}
