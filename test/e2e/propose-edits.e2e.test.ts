/** A run whose developer is a Codex in proposal mode, played by the scripted app server. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverThat } from "../codex/played-turn.ts";
import { folderWith } from "./folder.ts";
import { RunWorld } from "./run-world.ts";

const plan = "---\nverify: test -f new/b.txt\naudit: none\n---\n## Tasks\n- [ ] one\n";
const files = { "a.txt": "one\ntwo\nthree\nfour\n", "old.txt": "old\n" };
const crew = (command: readonly string[]) =>
  `agents:\n  ada: { role: developer, driver: codex, works: proposal, command: ${JSON.stringify(command)} }\n`;

test("the coordinator carries out the edits that it declined, several of one file together", async () => {
  const update = (diff: string) => ({ path: "a.txt", kind: { type: "update", move_path: null }, diff });
  const deeds = [
    { edit: [update("@@ -1,2 +1,2 @@\n-one\n+1\n two\n")] },
    {
      edit: [{ path: "new/b.txt", kind: { type: "add" }, diff: "b\n" }, update("@@ -4 +4 @@\n-four\n+IV\n")],
    },
    { edit: [update("@@ -3,2 +3,2 @@\n three\n-four\n+4\n")] },
    {
      edit: [{ path: "old.txt", kind: { type: "update", move_path: "moved.txt" }, diff: "\n\nMoved to: x" }],
    },
    { ask: { method: "item/commandExecution/requestApproval", params: { command: "rm a.txt" } } },
    { say: "Done.\nREADY FOR AUDIT: one" },
  ];
  const command = serverThat({ deeds }, join(folderWith(), "deeds.json"));
  const settings = "confirm-deletes: always-allow\n";
  const world = new RunWorld({ plan, files, agents: {}, config: settings + crew(command) });
  const { exitCode, stdout, stderr } = await world.cox("run", "plan.md", "--yes");
  expect(exitCode, stdout + stderr + world.logText()).toBe(0);
  expect(world.committedTasks()).toEqual(["one"]);
  expect(world.show("a.txt")).toBe("1\ntwo\nthree\n4");
  expect(world.show("new/b.txt")).toBe("b");
  expect(world.show("moved.txt")).toBe("old");
  expect(world.tree().join("\n")).not.toContain("old.txt");
  expect(world.eventsOf("agent_overstepped")).toEqual([]);
  const told = await world.cox("transcript", "one");
  expect(told.stdout).toContain("was refused: rm a.txt");
});

test("a Codex that is too old to propose edits gets no work, and the run says what to do", async () => {
  const command = ["sh", "-c", "echo 'Error: stdout is not a terminal' >&2; exit 1"];
  const world = new RunWorld({ plan, agents: {}, config: crew(command) });
  const { exitCode, stdout } = await world.cox("run", "plan.md", "--yes", "--no-input");
  expect(exitCode, stdout + world.logText()).toBe(3);
  expect(world.eventsOf("agent_crashed")).toMatchObject([
    { code: "AGENT_NOT_INSTALLED", message: expect.stringContaining("works: desk") },
  ]);
});
