import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { acpDriver, agentThat, end, piece, playedTurn, usage } from "../../../test/acp/played-turn.ts";
import { driverContract } from "../driver.contract.ts";

driverContract(
  "acp",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "cox-acp-"));
    let agents = 0;
    return {
      driver: acpDriver(),
      folder,
      agent(deeds) {
        agents += 1;
        return { driver: "acp", command: agentThat({ deeds }, join(folder, `deeds-${agents}.json`)) };
      },
      end: () => rmSync(folder, { recursive: true }),
    };
  },
  { speaksInEvents: true },
);

describe("the ACP handshake", () => {
  test("an agent that never answers a step has failed, and the step is named", async () => {
    for (const isMuteAt of ["initialize", "session/new"]) {
      const { ended } = await playedTurn({ manner: { isMuteAt } }, { timeIsUpAt: isMuteAt });
      expect(ended).toMatchObject({ kind: "failed", code: "AGENT_PROTOCOL" });
      expect(ended).toHaveProperty("message", expect.stringContaining(`${isMuteAt} within 30 s`));
    }
  });

  test("an agent with another version of the protocol fails, and the message says so", async () => {
    const { ended } = await playedTurn({ manner: { version: 7 } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_PROTOCOL" });
    expect(ended).toHaveProperty("message", expect.stringContaining("version 7 of the protocol"));
  });

  test("the agent is told that we offer no files or terminals, where it works, and its server", async () => {
    const server = { name: "turn", command: ["node", "server.mjs"] as const, environment: { KEY: "1" } };
    const { heard, desk } = await playedTurn({}, { request: { server } });
    expect(heard("initialize")).toMatchObject({
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    const env = [{ name: "KEY", value: "1" }];
    expect(heard("session/new")).toMatchObject({
      cwd: desk,
      mcpServers: [{ name: "turn", command: "node", args: ["server.mjs"], env }],
    });
    expect(heard("session/prompt")).toMatchObject({ prompt: [{ type: "text", text: "Please do it." }] });
  });

  test("a model is chosen if the agent offers a choice, and a missing choice is reported", async () => {
    const settings = { model: "large" };
    const session = { configOptions: [option("mode"), option("model")] };
    const offered = await playedTurn({ manner: { session } }, { settings });
    expect(offered.heard("session/set_config_option")).toMatchObject({ configId: "model", value: "large" });
    const { ended } = await playedTurn({}, { settings });
    expect(ended).toMatchObject({ code: "AGENT_PROTOCOL" });
    expect(ended).toHaveProperty("message", expect.stringContaining("write the model into its command"));
  });

  function option(id: string) {
    const options = [{ value: "small", name: "small" }];
    return { id, name: id, category: id, type: "select", currentValue: "small", options };
  }
});

describe("failures of an ACP agent", () => {
  const call = { tell: { sessionUpdate: "tool_call", toolCallId: "1", title: "ls", kind: "execute" } };
  const retrying = piece("Retrying (attempt 1/3, waiting 2s)...");
  const retried = piece("Retry finished, resuming.");

  test.each([
    [
      "an error of its model",
      { code: -32603, message: "Internal error: bad thing" },
      "AGENT_API",
      /bad thing/,
    ],
    ["no sign-in", { code: -32000, message: "Authentication required" }, "AGENT_NOT_SIGNED_IN", /sign in/],
    [
      "a status of HTTP in the number's place",
      { code: 429, message: "slow down" },
      "AGENT_RATE_LIMIT",
      /slow/,
    ],
    [
      "a history that cannot be shortened any more",
      {
        code: -32603,
        message: "Internal error: Session too large to compact - context exceeds model limit",
      },
      "AGENT_CONTEXT",
      /too large/,
    ],
    [
      "details beside it",
      { code: -32603, message: "Internal error", data: { details: "prompt is too long" } },
      "AGENT_CONTEXT",
      /too long/,
    ],
  ])("%s is reported under its own code", async (_, fail, code, says) => {
    const { ended, reply } = await playedTurn({ deeds: [{ say: "half" }, { fail }] });
    expect(ended).toMatchObject({ kind: "failed", code, message: expect.stringMatching(says) });
    expect(reply).toBe("half\n");
  });

  test("codex reports a failed request as a normal end, with the reason beside its messages and no usage", async () => {
    const deeds = [piece("exceeded retry limit, last status: 429 Too Many Requests"), end({ usage: null })];
    const { ended } = await playedTurn({ deeds }, { settings: { acp: "codex" } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_RATE_LIMIT" });
    // From an agent that we do not know, this is a reply like any other.
    expect((await playedTurn({ deeds })).ended).toEqual({ kind: "replied" });
  });

  test.each([
    ["nothing", []],
    ["what stood before a tool", [piece("I begin."), call]],
    ["half of it, twice", [piece("half"), retrying, piece("half"), retried]],
    ["what may be half of it", [retrying, piece("whole or half"), retried]],
  ])("pi reports a failed request as a normal end, and all that was said is %s", async (_, deeds) => {
    const { ended } = await playedTurn({ deeds }, { settings: { acp: "pi" } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_API" });
  });

  test("pi that retried its model and continued has replied, without the text before the retry", async () => {
    const deeds = [piece("half"), retrying, piece("I begin."), retried, call, piece("done")];
    const { ended, reply } = await playedTurn({ deeds }, { settings: { acp: "pi" } });
    expect({ ended, reply }).toEqual({ ended: { kind: "replied" }, reply: "done" });
  });

  test("the reason for a failure is taken from stderr if it is nowhere else", async () => {
    const deeds = [{ complain: "Error: invalid api key\n" }, { exit: 1 }];
    expect((await playedTurn({ deeds })).ended).toMatchObject({ code: "AGENT_NOT_SIGNED_IN" });
    const { ended } = await playedTurn({ deeds: [{ exit: 0 }] });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_NO_RESULT" });
  });

  test("a missing program is reported with how to get it, and a missing command with how to write it", async () => {
    const { ended } = await playedTurn({}, { settings: { command: ["no-such-codex", "codex-acp"] } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_NOT_INSTALLED" });
    expect(ended).toHaveProperty("message", expect.stringContaining("@agentclientprotocol/codex-acp"));
    const none = await playedTurn({}, { settings: { command: undefined } });
    expect(none.ended).toMatchObject({ kind: "failed", code: "AGENT_SPAWN" });
  });
});

describe("the end of an ACP agent", () => {
  test("an agent that stays after its turn is ended, and its reply counts", async () => {
    const manner = { staysBehind: true };
    const { ended, reply } = await playedTurn(
      { manner, deeds: [{ say: "done" }] },
      { settings: { acp: "gemini" } },
    );
    expect({ ended, reply }).toEqual({ ended: { kind: "replied" }, reply: "done\n" });
  });

  test("a cancelled agent is asked in the protocol's words, and killed if it does not react", async () => {
    for (const isDeaf of [false, true]) {
      const { ended, heard } = await playedTurn(
        { manner: { isDeaf }, deeds: [{ say: "thinking" }, { hang: true }] },
        { onSign: (sign, cancel) => sign.kind === "line" && cancel() },
      );
      expect(ended).toEqual({ kind: "cancelled" });
      expect(heard("session/cancel")).toBeDefined();
    }
  });
});

describe("a resumed ACP conversation", () => {
  const request = { resume: "of-old" };

  test("is resumed where the agent can, and is of the same name", async () => {
    const manner = { capabilities: { loadSession: true, sessionCapabilities: { resume: {} } } };
    const { heard, session, desk } = await playedTurn({ manner }, { request });
    expect(heard("session/resume")).toMatchObject({ sessionId: "of-old", cwd: desk });
    expect(heard("session/prompt")).toMatchObject({ sessionId: "of-old" });
    expect([heard("session/new"), heard("session/load"), session]).toEqual([undefined, undefined, "of-old"]);
  });

  test("is loaded if it cannot be resumed, and replayed messages are not part of this turn", async () => {
    const manner = { capabilities: { loadSession: true }, replay: true };
    const { reply, heard } = await playedTurn({ manner, deeds: [{ say: "new" }] }, { request });
    expect(heard("session/load")).toMatchObject({ sessionId: "of-old" });
    expect(reply).toBe("new\n");
    expect((await playedTurn({ manner }, { request })).reply).toBe("");
  });

  test("that the agent does not know is reported as lost", async () => {
    const manner = { capabilities: { sessionCapabilities: { resume: {} } }, failsAt: "session/resume" };
    const { ended, heard } = await playedTurn({ manner }, { request });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_SESSION_LOST" });
    expect(heard("session/prompt")).toBeUndefined();
  });

  test("has an unknown cost, since the reported sum includes earlier turns", async () => {
    const cost = { tell: { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 0.5 } } };
    const manner = { capabilities: { sessionCapabilities: { resume: {} } } };
    const deeds = [cost, end({ usage })];
    const spent = { inputTokens: 200, outputTokens: 40 };
    const goneOn = (await playedTurn({ manner, deeds }, { request })).usage;
    expect(goneOn).toMatchObject({ ...spent, models: [{ ...spent, model: expect.any(String) }] });
    expect(goneOn).not.toHaveProperty("usdMicros");
    expect((await playedTurn({ deeds })).usage).toMatchObject({ ...spent, usdMicros: 500_000 });
  });

  test("has the turn's tools where the agent starts servers, and is not told of tools where it starts none", () => {
    const takes = (settings: object) => acpDriver().forAgent?.({ driver: "acp", ...settings }).takesServer;
    expect(takes({ command: ["some-agent"] })).toBe(true);
    expect(takes({ command: ["pi-acp"] })).toBe(false);
  });

  test("is offered only for agents whose sessions survive their process", () => {
    const can = (settings: object) => acpDriver().forAgent?.({ driver: "acp", ...settings }).canResume;
    expect(can({ command: ["codex-acp"] })).toBe(true);
    expect(can({ acp: "claude" })).toBe(true);
    expect(can({ command: ["gemini", "--acp"] })).toBe(false);
    expect(can({ command: ["some-agent"] })).toBe(false);
  });
});
