/** Each real program that goes on with a conversation in a later turn. */
import { describe, expect, test } from "vitest";
import { scriptInPrompt } from "../../src/model-server/prompt-script.ts";
import { crews } from "./crews.ts";
import { drivenTurns } from "./driven-turns.ts";

const says = (text: string) => scriptInPrompt({ steps: [{ text }] });

for (const client of crews) {
  describe(`${client.title} ${client.version}`, () => {
    test("goes on with its conversation: the model hears all of it, and each turn is counted once", async ({
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

    test("a conversation that it does not know is told as that, and the model is not asked", async ({
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
