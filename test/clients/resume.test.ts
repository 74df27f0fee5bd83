/** Each real program that goes on with a conversation in a later turn. */
import { describe, expect, test } from "vitest";
import { scriptInPrompt } from "../doubles/script-in-prompt.ts";
import { crews } from "./crews.ts";
import { drivenTurns } from "./driven-turns.ts";
import { startPlan } from "./plan-run.ts";

const says = (text: string) => scriptInPrompt({ steps: [{ text }] });

for (const client of crews) {
  describe(`${client.title} ${client.version}`, () => {
    test("resumes its conversation: the model gets all of it, and each turn is counted once", async ({
      skip,
    }) => {
      const { model, play } = await drivenTurns(client, skip);
      const first = await play({ prompt: `The first thing.\n${says("One.")}` });
      expect(first).toMatchObject({ ended: { kind: "replied" }, session: expect.any(String) });
      // Behind the walls of who judges it goes on as well.
      const judging = { role: "auditor", prompt: `The second thing.\n${says("Two.")}` };
      const second = await play({ ...judging, resume: first.session ?? "" });
      expect(second.ended).toEqual({ kind: "replied" });
      const third = await play({
        prompt: `The third thing.\n${says("Three.")}`,
        resume: second.session ?? "",
      });
      expect(new TextDecoder().decode(third.reply)).toContain("Three.");
      for (const { usage } of [first, second, third])
        expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
      const [one, ...others] = [first, second, third].map((turn) => turn.session?.split("~")[0]);
      expect(others).toEqual([one, one]);
      const last = JSON.stringify(model.seen.filter(({ isAside = false }) => !isAside).at(-1)?.turns);
      for (const words of ["The first thing.", "One.", "Two.", "The third thing."])
        expect(last).toContain(words);
    });

    test("corrects a refused reply in the same conversation", async ({ skip }) => {
      const greeting = [
        { text: "Done.\nREADY FOR AUDIT: write-the-farewell", times: 1 },
        client.write("greeting.txt", "Hello.\n"),
        { text: "READY FOR AUDIT: write-the-greeting" },
      ];
      const { world, model, ended } = await startPlan(client, { roles: { greeting }, skip });
      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).toBe(0);
      expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
      const [refused, mended] = world
        .eventsOf("agent_complete")
        .map(({ turn, spent }) => ({ turn: String(turn), tokens: (spent as { tokens: number }).tokens }));
      expect([refused?.tokens, mended?.tokens]).toEqual([120, 240]);
      const session = (turn = "") => world.read(world.path(`turns/${turn}/session.txt`)).split(/[~\n]/)[0];
      expect(session(mended?.turn)).toBe(session(refused?.turn));
      const heard = model.seen.map(({ turns }) => JSON.stringify(turns));
      expect(heard.filter((words) => words.includes("# Go on with your task")).length).toBeGreaterThan(0);
      for (const words of heard.filter((all) => all.includes("# Go on with your task")))
        expect(words).toContain("# Your task: Write the greeting");
    });

    test("reports a conversation that it does not know as lost, and does not ask the model", async ({
      skip,
    }) => {
      const { model, play } = await drivenTurns(client, skip);
      const known = { opencode: "ses_1111111122224333844455555" }[client.driver];
      const resume = known ?? "11111111-2222-4333-8444-555555555555";
      const { ended } = await play({ prompt: says("One."), resume });
      expect(ended).toMatchObject({ kind: "failed", code: "AGENT_SESSION_LOST" });
      expect(model.seen).toEqual([]);
    });
  });
}
