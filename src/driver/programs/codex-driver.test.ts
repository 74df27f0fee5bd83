import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedTurn } from "../../../test/codex/captured-turn.ts";
import { driverOfCodex, playedTurn, serverThat } from "../../../test/codex/played-turn.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { driverContract } from "../driver.contract.ts";

driverContract(
  "codex, of a developer that proposes",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "cox-codex-"));
    const driver = driverOfCodex();
    let agents = 0;
    return {
      driver: { ...driver, start: (turn, observer) => driver.start({ ...turn, mode: "proposal" }, observer) },
      folder,
      agent(deeds) {
        agents += 1;
        return { driver: "codex", command: serverThat({ deeds }, join(folder, `deeds-${agents}.json`)) };
      },
      end: () => rmSync(folder, { recursive: true }),
    };
  },
  { speaksInEvents: true, isProposing: true },
);

describe("Codex's app server, as the real program spoke", () => {
  test("edits are declined and become operations, the turn goes on, and its last message is the reply", async () => {
    const { tried, signs, said, ...outcome } = await capturedTurn("edits");
    expect(outcome).toMatchObject({
      ended: { kind: "replied" },
      usage: { inputTokens: 900, outputTokens: 180 },
      session: "01a1e4ac-60c7-7543-91e4-0bdfe6102ae1~900~180~0",
    });
    expect(decodeUtf8(outcome.reply)).toBe("All done.\nREADY FOR AUDIT: x");
    const answers = said.filter(({ method }) => method === undefined).map(({ result }) => result);
    expect(answers).toEqual(answers.map(() => ({ decision: "decline" })));
    expect(answers).toHaveLength(7);
    const last = new Map(tried.map(({ path, operations }) => [path, operations]));
    expect([...last.keys()]).toEqual(["src/new.txt", "a.txt", "gone.txt", "mv.txt", "p1.txt"]);
    expect(last.get("src/new.txt")).toMatchObject([{ operation: "create", content: "hello\nworld\n" }]);
    expect(last.get("gone.txt")).toMatchObject([{ operation: "delete" }]);
    expect(signs.flatMap((sign) => (sign.kind === "action" ? [sign.words] : []))).toEqual(
      expect.arrayContaining([
        "editing src/new.txt",
        "proposing a.txt, p1.txt",
        "running echo hi > sh.txt; cat a.txt",
        "was refused: /bin/bash -lc 'touch esc.txt'",
      ]),
    );
  });

  test("earlier usage of a thread is not counted in this turn", async () => {
    const resume = "01a1e4af-f12e-7f72-ac38-e825f0e72278~100~20~0";
    const { usage, session, said } = await capturedTurn("resumed", { resume });
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
    expect(session).toBe("01a1e4af-f12e-7f72-ac38-e825f0e72278~200~40~0");
    expect(said.find(({ method }) => method === "thread/resume")?.params).toMatchObject({
      threadId: "01a1e4af-f12e-7f72-ac38-e825f0e72278",
      sandbox: "read-only",
      approvalPolicy: "on-request",
    });
  });

  test("an unknown thread is reported as a lost conversation, and nothing is asked of it", async () => {
    const { ended, said } = await capturedTurn("session-lost", {
      resume: "11111111-2222-4333-8444-555555555555",
    });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_SESSION_LOST" });
    expect(said.map(({ method }) => method)).not.toContain("turn/start");
  });

  test.each([
    ["status-401", "AGENT_NOT_SIGNED_IN", "Incorrect API key", "codex login"],
    ["not-signed-in", "AGENT_NOT_SIGNED_IN", "Missing environment variable", "codex login"],
    ["status-429", "AGENT_RATE_LIMIT", "429 Too Many Requests", "another agent"],
    ["status-400", "AGENT_API", "bad thing", "Try again"],
    ["context", "AGENT_CONTEXT", "Your input exceeds the context window of this model.", "Split the task"],
    ["status-500", "AGENT_API", "high demand", "Try again"],
    ["truncate", "AGENT_API", "stream disconnected", "Try again"],
  ])("%s: a failed turn is %s, with what was said and what to do", async (what, code, says, advises) => {
    const { ended, session } = await capturedTurn(what);
    expect(ended).toMatchObject({ kind: "failed", code });
    expect(ended).toHaveProperty("message", expect.stringContaining(says));
    expect(ended).toHaveProperty("message", expect.stringContaining(advises));
    expect(session).toMatch(/^01a1e4/);
  });
});

test("a turn of Codex's app server that was asked to end is cancelled, as the real program spoke", async () => {
  const { ended, said } = await capturedTurn("interrupted", {}, { cancelsAt: "turn/start" });
  expect(ended).toEqual({ kind: "cancelled" });
  expect(said.at(-1)).toMatchObject({
    method: "turn/interrupt",
    params: { turnId: "01a1e4af-fd63-7f31-9a4f-fdb04bebffef" },
  });
});

describe("Codex's app server is used", () => {
  test("only for a developer that works by proposal", async () => {
    const manner = { begins: '{"type":"turn.completed","usage":{}}\n' };
    for (const request of [{ role: "auditor" }, { mode: "desk" as const }]) {
      const { asked } = await playedTurn({ manner }, { request });
      expect(asked).toEqual([]);
    }
    expect((await playedTurn({})).asked).toEqual(["initialize", "initialized", "thread/start", "turn/start"]);
  });

  test("with the desk, permissions, model and turn server, and without the user's own settings", async () => {
    const server = { name: "turn", command: ["node", "s.mjs"] as const, environment: { KEY: "1" } };
    const settings = { model: "large", args: ["-c", "x=1"] };
    const { heard, argv, desk } = await playedTurn({}, { request: { server }, settings });
    expect(heard("initialize")).toMatchObject({
      capabilities: { optOutNotificationMethods: expect.arrayContaining(["item/agentMessage/delta"]) },
    });
    expect(heard("thread/start")).toEqual({
      cwd: desk,
      ...{ sandbox: "read-only", approvalPolicy: "on-request", approvalsReviewer: "user", model: "large" },
    });
    expect(heard("turn/start")).toMatchObject({ input: [{ type: "text", text: "Please do it." }] });
    expect(argv?.slice(3)).toEqual([
      "app-server",
      ...["-c", 'mcp_servers.turn.command="node"', "-c", 'mcp_servers.turn.args=["s.mjs"]'],
      ...["-c", 'mcp_servers.turn.env={ KEY = "1" }', "-c", "mcp_servers.turn.startup_timeout_sec=60"],
      ...["-c", 'mcp_servers.turn.default_tools_approval_mode="approve"', "-c", "x=1"],
    ]);
  });
});

describe("a request of Codex's app server", () => {
  const add = { path: "a.txt", kind: { type: "add" }, diff: "x\n" };

  test("is declined, each in its own words, and the turn goes on", async () => {
    const ask = (method: string, params = {}) => ({ ask: { method, params } });
    const { answers, actions, ended, reply } = await playedTurn({
      deeds: [
        { edit: [add] },
        ask("item/commandExecution/requestApproval", { command: "rm -rf /" }),
        ask("item/permissions/requestApproval", { reason: "to write" }),
        ask("item/tool/requestUserInput"),
        ask("mcpServer/elicitation/request"),
        ask("item/fileChange/requestApproval", { itemId: "nobody knows it" }),
        ask("constructor"),
        { say: "Over." },
      ],
    });
    expect(answers).toEqual([
      { decision: "decline" },
      { decision: "decline" },
      { permissions: {}, scope: "turn" },
      { answers: {} },
      { action: "decline", content: null, _meta: null },
      { decision: "decline" },
      { code: -32_601, message: "no method constructor" },
    ]);
    expect(actions).toContain("was refused: rm -rf /");
    expect(actions).toContain("proposing a.txt");
    expect({ ended, reply }).toEqual({ ended: { kind: "replied" }, reply: "Over.\n" });
  });

  test("changes no byte at the desk, though its edits are recorded", async () => {
    const { desk, operations } = await playedTurn({ deeds: [{ edit: [add] }] });
    expect(readdirSync(desk)).toEqual([]);
    expect(operations).toMatchObject([{ operation: "create", file_path: "a.txt", content: "x\n" }]);
  });
});

describe("an app server", () => {
  const steps = ["initialize", "thread/start", "turn/start"];

  test.each(steps)("that never answers %s has failed, and the step is named", async (isMuteAt) => {
    const { ended } = await playedTurn({ manner: { isMuteAt } }, { timeIsUpAt: isMuteAt });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_PROTOCOL" });
    expect(ended).toHaveProperty("message", expect.stringContaining(`${isMuteAt} within 30 s`));
  });

  test.each([...steps, "initialized"])(
    "that ends at %s has failed, whatever its exit code",
    async (diesAt) => {
      const well = await playedTurn({ manner: { diesAt } });
      expect(well.ended).toMatchObject({ kind: "failed", code: "AGENT_NO_RESULT" });
      const badly = await playedTurn({ manner: { diesAt, exit: 3 } });
      expect(badly.ended).toMatchObject({ kind: "failed", code: "AGENT_EXIT" });
    },
  );

  test.each(steps)("that refuses %s has failed with its words", async (step) => {
    const { ended } = await playedTurn({ manner: { failsAt: { [step]: "the disk is full" } } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_API" });
    expect(ended).toHaveProperty("message", expect.stringContaining("the disk is full"));
  });

  test("that is of another version is reported with what to do", async () => {
    // What version 0.60.1 said.
    const old = "Invalid request: unknown variant `read-only`, expected one of `readOnly`, `workspaceWrite`";
    const { ended } = await playedTurn({ manner: { failsAt: { "thread/start": old } } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_NOT_INSTALLED" });
    expect(ended).toHaveProperty("message", expect.stringContaining("works: desk"));
    expect(ended).toHaveProperty("message", expect.stringContaining("npm install -g @openai/codex"));
  });

  test("that is too old and takes its arguments for a prompt is reported as that", async () => {
    const command = ["sh", "-c", "echo 'Error: stdout is not a terminal' >&2; exit 1"];
    const { ended } = await playedTurn({}, { settings: { command } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_NOT_INSTALLED" });
    expect(ended).toHaveProperty("message", expect.stringContaining("works: desk"));
  });

  test("that is missing is reported as that", async () => {
    const { ended } = await playedTurn({}, { settings: { command: ["/nowhere/codex"] } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_NOT_INSTALLED" });
    expect(ended).toHaveProperty("message", expect.stringContaining("/nowhere/codex"));
  });

  test("that prints lines that are no messages is still understood", async () => {
    const begins = 'garbage\n{broken\n[]\n{}\nnull\n{"id":77,"result":{}}\n{"method":7}\n{"id":null}\n';
    const strange = [{ tell: { method: "item/started", params: { item: 5 } } }, { print: '{"id":{}}\n' }];
    const { ended, reply, records } = await playedTurn({
      manner: { begins },
      deeds: [...strange, { say: "Fine." }],
    });
    expect({ ended, reply }).toEqual({ ended: { kind: "replied" }, reply: "Fine.\n" });
    expect(records).toContainEqual({ from: "stdout", text: expect.stringContaining("garbage") });
  });

  test("that opens a thread without a name has failed", async () => {
    const { ended } = await playedTurn({ manner: { results: { "thread/start": {} } } });
    expect(ended).toMatchObject({ kind: "failed" });
    expect(ended).toHaveProperty("message", expect.stringContaining("without naming it"));
  });

  test.each([
    ["paused", "AGENT_PROTOCOL"],
    ["interrupted", "AGENT_NO_RESULT"],
  ])("that ends its turn by the word %s has failed", async (status, code) => {
    const { ended } = await playedTurn({ deeds: [{ end: { status } }] });
    expect(ended).toMatchObject({ kind: "failed", code });
  });

  test("that ended its turn well has replied, whatever its process does then", async () => {
    const { ended } = await playedTurn({ deeds: [{ say: "Fine." }, { end: { status: "completed" } }] });
    expect(ended).toEqual({ kind: "replied" });
  });

  test("that tells of another thread gives no reply by it, and ends no turn", async () => {
    const other = { threadId: "another" };
    const deeds = [
      { say: "Mine." },
      { tell: { method: "turn/completed", params: { ...other, turn: { status: "failed" } } } },
      {
        tell: {
          method: "item/completed",
          params: { ...other, item: { type: "agentMessage", text: "Its own." } },
        },
      },
    ];
    expect(await playedTurn({ deeds })).toMatchObject({ ended: { kind: "replied" }, reply: "Mine.\n" });
  });
});

describe("the error of Codex's app server", () => {
  test.each([
    ["contextWindowExceeded", "AGENT_CONTEXT"],
    ["usageLimitExceeded", "AGENT_RATE_LIMIT"],
    ["unauthorized", "AGENT_NOT_SIGNED_IN"],
    ["sessionBudgetExceeded", "AGENT_LIMIT"],
    ["cyberPolicy", "AGENT_REFUSED"],
    ["other", "AGENT_API"],
    ["constructor", "AGENT_API"],
  ])("%s is %s", async (codexErrorInfo, code) => {
    const error = { message: "it did not work", codexErrorInfo };
    const { ended } = await playedTurn({ deeds: [{ end: { status: "failed", error } }] });
    expect(ended).toMatchObject({ kind: "failed", code });
  });

  test("for a limit that is used up says when it is lifted", async () => {
    const [soon, late] = [
      { usedPercent: 100, resetsAt: 4_000_000_000 },
      { usedPercent: 40, resetsAt: 4_100_000_000 },
    ];
    const rateLimits = { primary: soon, secondary: late };
    const error = { message: "You've hit your usage limit.", codexErrorInfo: "usageLimitExceeded" };
    const deeds = [
      { tell: { method: "account/rateLimits/updated", params: { rateLimits } } },
      { end: { status: "failed", error } },
    ];
    const { ended } = await playedTurn({ deeds });
    expect(ended).toMatchObject({ code: "AGENT_RATE_LIMIT", resetsAt: 4_000_000_000_000 });
  });
});

describe("cancelling Codex's app server", () => {
  test("asks by the protocol first", async () => {
    const { ended, asked } = await playedTurn(
      { deeds: [{ say: "thinking" }, { hang: true }] },
      { onSign: (sign, cancel) => sign.kind === "line" && cancel() },
    );
    expect(ended).toEqual({ kind: "cancelled" });
    expect(asked).toContain("turn/interrupt");
  });

  test("ends a program that does not react", async () => {
    const { ended } = await playedTurn(
      { deeds: [{ say: "thinking" }, { hang: true }], manner: { isDeaf: true } },
      { onSign: (sign, cancel) => sign.kind === "line" && cancel() },
    );
    expect(ended).toEqual({ kind: "cancelled" });
  });
});
