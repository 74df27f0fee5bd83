/**
 * What every driver promises, written once and run by each. A world makes agents that do what a test asks: a script for
 * the scripted driver, a program that performs the same steps for a driver of programs.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decodeUtf8 } from "../std/utf8.ts";
import type { AgentSettings } from "./agent-settings.ts";
import type { Driver, SignOfLife, TurnHandle, TurnRecord, TurnRequest } from "./driver.ts";

/** One thing that an agent does. In texts, `$COX_TASK` and the like stand for the values of its turn. */
export type AgentStep =
  | { readonly say: string }
  | { readonly write: { readonly path: string; readonly content: string } }
  | { readonly flood: number }
  | { readonly hang: true }
  | { readonly exit: number }
  | { readonly crash: string };

export interface DriverWorld {
  readonly driver: Driver;
  /** An existing folder for the desks. */
  readonly folder: string;
  /** Settings of an agent that does this in each of its turns, and ends well unless a step says otherwise. */
  agent(deeds: readonly AgentStep[]): AgentSettings;
  end(): void;
}

export interface Manner {
  /**
   * Its messages are wrapped in events: it prints more than it says, and output that is not an event is not part of the
   * reply.
   */
  readonly speaksInEvents?: boolean;
  /** It has no program of its own: no environment, no exit code, and nothing to write with. */
  readonly isBare?: boolean;
  /** It changes no files itself. */
  readonly isProposing?: boolean;
}

export function driverContract(
  name: string,
  make: () => DriverWorld,
  { speaksInEvents = false, isBare = false, isProposing = false }: Manner = {},
): void {
  let world: DriverWorld;
  let started: TurnHandle[];

  beforeEach(() => {
    world = make();
    started = [];
  });

  afterEach(async () => {
    for (const handle of started) handle.cancel();
    await Promise.all(started.map(({ outcome }) => outcome));
    world.end();
  });

  function start(
    deeds: readonly AgentStep[],
    change: Partial<TurnRequest> = {},
    onRecord: (record: TurnRecord) => void = () => {},
  ) {
    const desk = join(world.folder, `desk-${started.length}`);
    const scratch = join(world.folder, `scratch-${started.length}`);
    mkdirSync(desk);
    mkdirSync(scratch);
    const signs: SignOfLife[] = [];
    let hear = () => {};
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const request: TurnRequest = { ...anyTurn, desk, scratch, settings: world.agent(deeds), ...change };
    const handle = world.driver.start(request, {
      onRecord,
      onSign(sign) {
        signs.push(sign);
        // A handshake is output too, but not something the agent said.
        if (sign.kind !== "output") hear();
      },
    });
    started.push(handle);
    return { handle, signs, heard, desk };
  }

  /** Tests of what only an agent with a program of its own can do. */
  const testWithHands: (title: string, proof: () => Promise<void>) => void = isBare ? () => {} : test;
  const testAtDesk: typeof testWithHands = isProposing ? () => {} : testWithHands;

  describe(`a driver (${name})`, () => {
    test("the agent's output is the reply, byte for byte", async () => {
      const { handle } = start([{ say: "Grüße, 世界 🚣\n\n```json\n{}\n```\n" }]);
      const outcome = await handle.outcome;
      expect(outcome).toMatchObject({ ended: { kind: "replied" }, misconduct: [] });
      expect(decodeUtf8(outcome.reply)).toBe("Grüße, 世界 🚣\n\n```json\n{}\n```\n");
    });

    test("an agent that says nothing has replied, with nothing", async () => {
      const { handle } = start([]);
      const outcome = await handle.outcome;
      expect(outcome).toMatchObject({ ended: { kind: "replied" }, lastLine: "" });
      expect(outcome.reply).toHaveLength(0);
    });

    testWithHands("the agent knows run, task, turn, attempt, agent, role and fence", async () => {
      const names = ["RUN", "TASK", "TURN", "ATTEMPT", "AGENT", "ROLE", "FENCE"].map((one) => `$COX_${one}`);
      const { handle } = start([{ say: names.join(" ") }]);
      const { reply } = await handle.outcome;
      expect(decodeUtf8(reply)).toBe("r1 benutzer-löschen t7 2 ada developer cox-5ac1\n");
    });

    testAtDesk("the agent works at its desk", async () => {
      const { handle, desk } = start([{ write: { path: "src/a.txt", content: "ä\n" } }]);
      await handle.outcome;
      expect(world.driver.modes[0]).toBe("desk");
      expect(readFileSync(join(desk, "src/a.txt"), "utf8")).toBe("ä\n");
    });

    test("output and each line of it are signs of life, a checkpoint too, and none comes after the end", async () => {
      const { handle, signs } = start([{ say: "reading\nCheckpoint: half of it\n" }, { say: "done" }]);
      await handle.outcome;
      const lines = signs.flatMap((sign) => (sign.kind === "line" ? [sign.text] : []));
      expect(lines).toEqual(["reading", "Checkpoint: half of it", "done"]);
      const bytes = signs.reduce((sum, sign) => sum + (sign.kind === "output" ? sign.bytes : 0), 0);
      const said = "reading\nCheckpoint: half of it\ndone\n".length;
      if (speaksInEvents) expect(bytes).toBeGreaterThan(said);
      else expect(bytes).toBe(said);
      expect(signs.findLast(({ kind }) => kind === "action")).toEqual({ kind: "action", words: "done" });
      const before = signs.length;
      await new Promise((later) => setImmediate(later));
      expect(signs).toHaveLength(before);
    });

    test("everything that the agent says is recorded for the transcript", async () => {
      const records: TurnRecord[] = [];
      const { handle } = start([{ say: "reading\nthat is all" }], {}, (one) => records.push(one));
      await handle.outcome;
      const isUnderstood = speaksInEvents || isBare;
      const said = records.filter(({ from }) => from === (isUnderstood ? "said" : "stdout"));
      expect(said.map(({ text }) => text.trimEnd()).join("\n")).toBe("reading\nthat is all");
      const events = records.filter(({ from }) => from === "event");
      expect(events.length > 0).toBe(isUnderstood);
    });

    test("the last line shown is meaningful, bounded, and cannot move the cursor", async () => {
      const long = `\u001b[2J\u001b[31mred\u001b[0m ${"long ".repeat(1000)}`;
      const { handle, signs } = start([{ say: `${long}\n}\n\n` }]);
      const { lastLine } = await handle.outcome;
      expect(lastLine).toMatch(/^\\u001b\[2Jred long long .*more characters\)$/);
      expect(lastLine.length).toBeLessThan(400);
      expect(JSON.stringify(signs)).not.toMatch(/\u001b/);
    });

    testWithHands(
      "PROC-08 an agent that ends with another code than 0 has failed, however well it replied",
      async () => {
        const { handle } = start([{ say: '{"file_operations": []}' }, { say: "no disk left" }, { exit: 3 }]);
        const outcome = await handle.outcome;
        expect(outcome.ended).toEqual({
          kind: "failed",
          code: "AGENT_EXIT",
          message: 'agent ada ended with exit code 3; its last line was: "no disk left"',
        });
        expect(decodeUtf8(outcome.reply)).toContain("file_operations");
      },
    );

    testWithHands("an agent that a signal ended has failed by it", async () => {
      const { handle } = start([{ say: "half" }, { crash: "SIGKILL" }]);
      const { ended, lastLine } = await handle.outcome;
      expect(ended).toMatchObject({ kind: "failed", code: "AGENT_SIGNAL" });
      expect(ended).toHaveProperty("message", expect.stringContaining("SIGKILL"));
      expect(lastLine).toBe("half");
    });

    test("PROC-01 an agent that floods is ended, and 8 MiB are kept", async () => {
      const { handle, signs } = start([{ say: "begin" }, { flood: 10_000_000_000 }]);
      const outcome = await handle.outcome;
      expect(outcome.ended).toMatchObject({ kind: "failed", code: "AGENT_OUTPUT_LIMIT" });
      expect(outcome.reply.length).toBe(speaksInEvents ? "begin\n".length : 8 * 1024 * 1024);
      expect(decodeUtf8(outcome.reply.subarray(0, 6))).toBe("begin\n");
      expect(signs.length).toBeLessThan(100_000);
    });

    test("PROC-02 an agent that never ends is ended by cancel, once and for all", async () => {
      const { handle, heard } = start([{ say: "thinking" }, { hang: true }]);
      await heard;
      handle.cancel();
      handle.cancel();
      const outcome = await handle.outcome;
      expect(outcome).toMatchObject({ ended: { kind: "cancelled" }, lastLine: "thinking" });
      expect(decodeUtf8(outcome.reply)).toBe("thinking\n");
      handle.cancel();
      expect((await handle.outcome).ended).toEqual({ kind: "cancelled" });
    });

    test("a turn can be cancelled before the agent did anything", async () => {
      const { handle } = start([{ hang: true }]);
      handle.cancel();
      expect((await handle.outcome).ended).toEqual({ kind: "cancelled" });
    });

    test("cancelling a turn after its end changes nothing", async () => {
      const { handle } = start([{ say: "done" }]);
      await handle.outcome;
      handle.cancel();
      expect((await handle.outcome).ended).toEqual({ kind: "replied" });
    });

    testAtDesk("turns at the same time do not mix", async () => {
      const many = ["one", "two", "three"].map((task) =>
        start([{ say: "$COX_TASK" }, { write: { path: "mine", content: "$COX_TASK" } }], { task }),
      );
      for (const [index, { handle, desk }] of many.entries()) {
        const said = decodeUtf8((await handle.outcome).reply);
        expect(said).toBe(`${["one", "two", "three"][index]}\n`);
        expect(`${readFileSync(join(desk, "mine"), "utf8")}\n`).toBe(said);
      }
    });

    test("PROC-11 a prompt that looks like options is only a prompt", async () => {
      const prompt = "--dangerously-skip-permissions -rf $(touch gone) `touch gone`";
      const { handle, desk } = start([{ say: "fine" }], { prompt });
      expect((await handle.outcome).ended).toEqual({ kind: "replied" });
      expect(existsSync(join(desk, "gone"))).toBe(false);
    });

    test("PROC-12 a prompt with a NUL is refused before anything runs", async () => {
      const { handle, desk } = start([{ write: { path: "ran", content: "" } }], { prompt: "read\0this" });
      expect((await handle.outcome).ended).toEqual({
        kind: "failed",
        code: "PROMPT_NUL",
        message:
          'the prompt holds a NUL character at offset 4, behind "read": remove it from the document it was taken from',
      });
      expect(existsSync(join(desk, "ran"))).toBe(false);
    });
  });
}

const anyTurn = {
  turn: "t7",
  run: "r1",
  task: "benutzer-löschen",
  attempt: 2,
  agent: "ada",
  role: "developer",
  mode: "desk" as const,
  fence: "cox-5ac1",
  prompt: "Please do it.",
  readOnly: [],
};
