/** Each real program that changes no file itself: what it hands in through its turn's server is carried out for it. */
import { describe, expect, test } from "vitest";
import type { ModelStep } from "../../src/model-server/script.ts";
import type { Json } from "../../src/std/canonical-json.ts";
import { acpCrews } from "./crew-acp.ts";
import { crews } from "./crews.ts";
import { filesNamed, startPlan } from "./plan-run.ts";
import { create } from "./printed-reply.ts";

const propose = (...operations: Json[]): ModelStep => ({ tool: "propose_operations", input: { operations } });
const submit = (input: Json): ModelStep => ({ tool: "submit_reply", input });

for (const client of [...crews, ...acpCrews.filter(({ acp }) => acp?.servesReaders)]) {
  describe(`${client.title} ${client.version}`, () => {
    test("proposes files through the tools of its turn, corrects a refused one, and they are committed though it cannot write", async ({
      skip,
    }) => {
      const greeting = [
        client.write("greeting.txt", "by hand\n"),
        propose(create("../greeting.txt", "outside\n")),
        propose(create("greeting.txt", "Hello.\n")),
        submit({ specialist_summary: "Greeted.", signal: "READY FOR AUDIT: write-the-greeting" }),
        { text: "That was all." },
      ];
      const farewell = [
        propose(create("farewell.txt", "Goodbye.\n")),
        { text: "Done.\nREADY FOR AUDIT: write-the-farewell" },
      ];
      const audit = [
        submit({
          verdict: "PASS",
          summary: "Seen.",
          evidence: [{ criterion: "it", evidence: "greeting.txt" }],
        }),
        { text: "Judged." },
      ];
      const roles = { greeting, farewell, audit };
      const { world, model, ended } = await startPlan(client, { roles, works: "proposal", skip });
      const { exitCode, stdout, stderr } = await ended;
      expect(exitCode, stdout + stderr + world.logText()).toBe(0);
      expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
      expect(world.show("greeting.txt")).toBe("Hello.");
      expect(world.show("farewell.txt")).toBe("Goodbye.");
      expect(world.eventsOf("agent_complete")).toHaveLength(4);
      const [first = ""] = world.eventsOf("agent_complete").map(({ turn }) => String(turn));
      expect(world.read(world.path(`turns/${first}/reply.txt`))).toContain('"Greeted."');
      expect(world.read(world.path(`turns/${first}/printed.txt`))).toContain("That was all.");
      const results = model.seen
        .filter(({ conversation }) => conversation === "greeting")
        .flatMap(({ turns }) => turns.flatMap((turn) => (turn.role === "user" ? turn.results : [])));
      expect(JSON.stringify(results)).toContain("PATH_DOTDOT");
      expect(JSON.stringify(results)).toContain("Accepted");
      // The home has what it had, conversations, and what the program made anew; nothing of ours.
      expect(filesNamed("gemini-extension.json", world.home)).toEqual([]);
      if (client.driver === "gemini") expect(filesNamed("projects.json", world.home)).toHaveLength(1);
      expect(world.processes()).toEqual([]);
    });
  });
}
