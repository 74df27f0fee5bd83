/** Turns of real programs that end badly: each is told as what it is, and leads to where it should. */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { crews } from "./crews.ts";
import { killPrograms } from "./kill-programs.ts";
import { filesNamed, startPlan } from "./plan-run.ts";
import { saw } from "./seen.ts";

const both = ["write-the-greeting", "write-the-farewell"];
const ready = { text: "READY FOR AUDIT: write-the-greeting" };

for (const client of crews) {
  const hello = client.write("greeting.txt", "Hello.\n");

  describe(`${client.title} ${client.version}`, () => {
    test("a model that hangs: the turn is ended for its silence, nothing of it is left, and the next does the task", async ({
      skip,
    }) => {
      const greeting = [{ hang: "before" as const, times: 1 }, hello, ready];
      const settings = `stall-timeout: ${client.silenceSeconds} s\n`;
      const { world, ended } = await startPlan(client, { roles: { greeting }, settings, skip });
      const atEnd: number[][] = [];
      const over = ended.then(() => true);
      while (!(await Promise.race([over, sleep(50, false)]))) {
        if (atEnd.length > 0 || world.findRun() === undefined) continue;
        const [late] = world.eventsOf("agent_timeout");
        if (late)
          atEnd.push(
            world.processes().filter((pid) => environmentOf(pid).includes(`COX_TURN=${late.turn}\0`)),
          );
      }
      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).toBe(0);
      expect(world.eventsOf("agent_timeout")).toMatchObject([{ limit: "stall" }]);
      expect(atEnd).toEqual([[]]);
      expect(world.committedTasks()).toEqual(both);
      expect(world.processes()).toEqual([]);
      saw(client, { cancel: "yes" });
    });

    test("a reply that cannot be read is asked again with what is wrong, and the right one is carried out", async ({
      skip,
    }) => {
      const block = (json: string) => `Here it is.\n\`\`\`json\n${json}\n\`\`\`\n`;
      const create = {
        operation: "create",
        file_path: "greeting.txt",
        description: "greets whoever reads it",
        content: "Hello.\n",
      };
      const right = { file_operations: [create], signal: ready.text };
      const greeting = [
        { text: block(JSON.stringify(right).replace("}]", "},]")), times: 1 },
        { text: block(JSON.stringify(right)) },
      ];
      const { world, model, ended } = await startPlan(client, { roles: { greeting }, skip });
      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).toBe(0);
      const refused = world.eventsOf("reply_refused");
      expect(refused).toHaveLength(1);
      const [problem] = (refused[0]?.problems ?? []) as { code: string }[];
      const asked = model.seen.filter(({ conversation }) => conversation === "greeting");
      expect(JSON.stringify(asked.at(-1)?.turns)).toContain(problem?.code);
      expect(world.show("greeting.txt")).toBe("Hello.");
      expect(world.committedTasks()).toEqual(both);
      // Asked again it may go on with the conversation that it had, where it can.
      const [first, second] = ["write-the-greeting.1.1", "write-the-greeting.1.2"].map((turn) =>
        readFileSync(world.path(`turns/${turn}/session.txt`), "utf8")
          .split("~")[0]
          ?.trim(),
      );
      saw(client, { "structured reply": "yes", resume: first === second ? "yes" : "no" });
    });

    test("a stream that breaks off is never taken for an answer", async ({ skip }) => {
      const cut = { text: `${ready.text}\nand more`, truncate: true as const, times: 1 };
      const { world, ended } = await startPlan(client, { roles: { greeting: [cut, hello, ready] }, skip });
      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).toBe(0);
      for (const { code } of world.eventsOf("agent_crashed"))
        expect(["AGENT_API", "AGENT_NO_RESULT", "AGENT_EXIT"]).toContain(code);
      expect(world.show("greeting.txt")).toBe("Hello.");
      expect(world.committedTasks()).toEqual(both);
    });

    test("more than the model can read is told as that, in its server's words", async ({ skip }) => {
      const step = { status: 400, error: client.tooLong.message, ...client.tooLong.type };
      const { world, ended } = await startPlan(client, { roles: { greeting: [step] }, skip });
      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).not.toBe(0);
      const crashed = world.eventsOf("agent_crashed");
      expect(crashed.length, world.logText()).toBeGreaterThan(0);
      for (const one of crashed)
        expect(one).toMatchObject({
          code: "AGENT_CONTEXT",
          message: expect.stringContaining(client.tooLong.says),
        });
      expect(world.committedTasks()).toEqual([]);
    });

    test("work that a killed program left at its desk is there for the next turn", async ({ skip }) => {
      // The first turn writes, and hangs when its model is asked to go on; the second has no such word to write.
      const greeting = [
        { ...client.write("part.txt", "Hello.\n"), times: 1 },
        client.shell("cat part.txt > greeting.txt; rm part.txt"),
        { hang: "before" as const, times: 1 },
        ready,
      ];
      const { world, ended } = await startPlan(client, { roles: { greeting }, skip });
      const over = ended.then(() => true);
      const parts = () => filesNamed("part.txt", world.cache);
      while (parts().length === 0 && !(await Promise.race([over, sleep(50, false)])));
      await sleep(1000);
      killPrograms(world.processes());
      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).toBe(0);
      expect(world.eventsOf("agent_crashed")).toHaveLength(1);
      expect(world.show("greeting.txt")).toBe("Hello.");
      expect(world.committedTasks()).toEqual(both);
      const [turn = ""] = world.eventsOf("agent_crashed").map((one) => String(one.turn));
      const transcript = readFileSync(world.path(`turns/${turn}/transcript.jsonl`), "utf8");
      expect(transcript).toContain("the turn failed");
      expect(existsSync(world.path(`turns/${turn}/reply.txt`))).toBe(true);
      saw(client, { "partial work kept": "yes" });
    });
  });
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return ""; // Ended meanwhile.
  }
}
