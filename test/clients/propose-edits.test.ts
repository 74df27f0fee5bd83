/**
 * Codex as a developer that proposes: its model edits as it always does, each edit is declined, and what they come to is
 * carried out by the coordinator.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Tried } from "../../src/driver/driver.ts";
import type { ModelStep } from "../../src/model-server/script.ts";
import { scriptInPrompt } from "../doubles/script-in-prompt.ts";
import { codexCrew } from "./crew-codex.ts";
import { drivenTurns } from "./driven-turns.ts";
import { killPrograms } from "./kill-programs.ts";
import { filesNamed, startPlan } from "./plan-run.ts";

/** A model that it knows, which is offered a tool for patches. */
const client = { ...codexCrew, agentModel: "gpt-5.5" };

const patchOf = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const patch = (...lines: string[]): ModelStep => ({ tool: "apply_patch", input: patchOf(...lines) });
/** As a model edits that is offered no tool for it. */
const patchByShell = (...lines: string[]): ModelStep =>
  client.shell(`apply_patch <<'PATCH'\n${patchOf(...lines)}PATCH\n`);
const ready = "READY FOR AUDIT: write-the-greeting";

describe(`${client.title} ${client.version}, whose edits are recorded instead of made`, () => {
  test("changes no byte itself, and its edits of two turns, before and after a failed audit, are all committed", async ({
    skip,
  }) => {
    const greeting: ModelStep[] = [
      { ...patch("*** Add File: greeting.txt", "+Helo.", "+How are you?"), times: 1 },
      patch("*** Update File: greeting.txt", "@@", "-Helo.", "+Hello."),
      { ...patch("*** Add File: src/second.txt", "+Two."), times: 1 },
      client.shell("cat greeting.txt > stolen.txt; cat greeting.txt"),
      { text: ready, delayMs: 2000, times: 1 },
      { text: ready },
    ];
    const audit: ModelStep[] = [
      { text: "It is misspelt.\nAUDIT FAILED - write-the-greeting", times: 1 },
      { text: "AUDIT PASSED - write-the-greeting" },
    ];
    const farewell: ModelStep[] = [
      patch("*** Add File: farewell.txt", "+Goodbye."),
      { text: "READY FOR AUDIT: write-the-farewell" },
    ];
    const roles = { greeting, farewell, audit };
    const { world, model, ended } = await startPlan(client, { roles, works: "proposal", skip });
    const over = ended.then(() => true);
    const asked = () => model.seen.filter(({ conversation }) => conversation === "greeting");
    while (asked().length < 3 && !(await Promise.race([over, sleep(20, false)])));
    // Both were declined, and its model thinks about its last words.
    const during = ["greeting.txt", "second.txt"].flatMap((name) => filesNamed(name, world.folder));
    const { exitCode, stdout, stderr } = await ended;
    expect(exitCode, stdout + stderr + world.logText()).toBe(0);
    expect(during).toEqual([]);
    expect(filesNamed("stolen.txt", world.folder)).toEqual([]);
    expect(world.committedTasks()).toEqual(["write-the-greeting", "write-the-farewell"]);
    expect(world.show("greeting.txt")).toBe("Hello.\nHow are you?");
    expect(world.show("src/second.txt")).toBe("Two.");
    expect(world.show("farewell.txt")).toBe("Goodbye.");
    expect(world.eventsOf("agent_crashed")).toEqual([]);
    expect(world.eventsOf("auditor_fail")).toHaveLength(1);

    const [first, , second] = world
      .eventsOf("agent_complete")
      .map(({ turn, spent }) => ({ turn: String(turn), tokens: (spent as { tokens: number }).tokens }));
    expect([first?.tokens, second?.tokens]).toEqual([360, 360]);
    const kept = (turn = "", name = "") => readFileSync(world.path(`turns/${turn}/${name}`), "utf8");
    const session = (turn = "") => kept(turn, "session.txt").split(/[~\n]/)[0];
    expect(session(second?.turn)).toBe(session(first?.turn));
    expect(kept(first?.turn, "reply.txt")).toContain('"Taken from an edit of the agent"');
    expect(kept(first?.turn, "printed.txt").trim()).toBe(ready);
    expect(kept(first?.turn, "prompt.md")).toContain("apply_patch");
    expect(kept(first?.turn, "transcript.jsonl")).toContain("proposing greeting.txt");
    expect(kept(first?.turn, "transcript.jsonl")).not.toContain("agentMessage/delta");
    const heard = JSON.stringify(asked().at(-1)?.turns);
    for (const words of ["patch rejected by user", "# Go on with your task", "It is misspelt."])
      expect(heard).toContain(words);
    expect(world.processes()).toEqual([]);
  });

  test("starts over when it is killed after an edit; a reply through its turn's tools includes its edits, or replaces them", async ({
    skip,
  }) => {
    const operation = {
      operation: "create",
      file_path: "farewell.txt",
      description: "as the task says",
      content: "Goodbye.\n",
    };
    const greeting: ModelStep[] = [
      patchByShell("*** Add File: greeting.txt", "+Hello."),
      { hang: "before", times: 1 },
      { tool: "submit_reply", input: { specialist_summary: "Greeted.", signal: ready } },
      { text: "That was all." },
    ];
    const farewell: ModelStep[] = [
      patchByShell("*** Add File: other.txt", "+Other."),
      { tool: "propose_operations", input: { operations: [operation] } },
      { text: "READY FOR AUDIT: write-the-farewell" },
    ];
    const roles = { greeting, farewell };
    const { world, model, ended } = await startPlan(codexCrew, { roles, works: "proposal", skip });
    const over = ended.then(() => true);
    const isHanging = () => model.seen.filter(({ conversation }) => conversation === "greeting").length > 1;
    while (!isHanging() && !(await Promise.race([over, sleep(20, false)])));
    killPrograms(world.processes());
    const { exitCode, stdout, stderr } = await ended;
    expect(exitCode, stdout + stderr + world.logText()).toBe(0);
    expect(world.eventsOf("agent_crashed").map(({ code }) => code)).toEqual([
      expect.stringMatching(/^AGENT_(SIGNAL|EXIT)$/),
    ]);
    expect(world.show("greeting.txt")).toBe("Hello.");
    expect(world.show("farewell.txt")).toBe("Goodbye.");
    expect(filesNamed("other.txt", world.folder)).toEqual([]);
    expect(world.eventsOf("agent_overstepped")).toMatchObject([
      { code: "EDITS_LEFT_OUT", message: expect.stringContaining("other.txt") },
    ]);
    const heard = JSON.stringify(model.seen.map(({ turns }) => turns));
    expect(heard).toContain("your reply with 1 operation");
    expect(heard).toContain("your own edits of other.txt do not");
    expect(world.processes()).toEqual([]);
  });

  test("resumes a thread, can be cancelled, and reports failures; a thread can be resumed with and without the app server", async ({
    skip,
  }) => {
    const { model, desk, start, play } = await drivenTurns(client, skip);
    const proposal = { mode: "proposal" as const };
    const says = (...steps: ModelStep[]) => scriptInPrompt({ steps });
    const tried: Tried[] = [];
    const adds = patch("*** Add File: a.txt", "+One.");
    const first = await start(
      { ...proposal, prompt: `The first thing.\n${says(adds, { text: "One." })}` },
      { onTried: (one) => tried.push(one) },
    ).outcome;
    expect(first).toMatchObject({
      ended: { kind: "replied" },
      usage: { inputTokens: 200, outputTokens: 40 },
    });
    expect(tried).toMatchObject([
      { path: "a.txt", operations: [{ operation: "create", content: "One.\n" }] },
    ]);
    expect(readdirSync(desk)).toEqual([]);

    // What was begun over the app server goes on without it, and back.
    const resume = first.session ?? "";
    const second = await play({ prompt: says({ text: "Two." }), resume });
    expect(second.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
    const third = await play({
      ...proposal,
      prompt: says(adds, client.shell("echo x > b.txt"), { text: "Three." }),
      resume: second.session ?? "",
    });
    expect(third).toMatchObject({
      ended: { kind: "replied" },
      usage: { inputTokens: 300, outputTokens: 60 },
    });
    expect(readdirSync(desk)).toEqual([]);
    expect(JSON.stringify(model.seen.at(-1)?.turns)).toContain("The first thing.");

    const failing = (step: ModelStep) => play({ ...proposal, prompt: says(step) });
    for (const [code, step] of [
      ["AGENT_API", { status: 400, error: "bad thing" }],
      ["AGENT_RATE_LIMIT", { rateLimit: { resetSeconds: 1 } }],
      ["AGENT_NOT_SIGNED_IN", { status: 401, error: "invalid api key" }],
      ["AGENT_CONTEXT", { status: 400, error: client.tooLong.message, ...client.tooLong.type }],
      ["AGENT_API", { text: "half of it", truncate: true as const }],
    ] as const)
      expect((await failing(step)).ended).toMatchObject({ kind: "failed", code });

    const hanging = start(
      { ...proposal, prompt: says({ ...client.shell("sleep 300") }) },
      {
        onSign: (sign) => sign.kind === "action" && hanging.cancel(),
      },
    );
    expect(await hanging.outcome).toMatchObject({ ended: { kind: "cancelled" }, misconduct: [] });

    const lost = { ...proposal, prompt: says({ text: "x" }), resume: "11111111-2222-4333-8444-555555555555" };
    expect((await play(lost)).ended).toMatchObject({ kind: "failed", code: "AGENT_SESSION_LOST" });
  });
});
