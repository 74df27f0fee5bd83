import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { acpAgents } from "../config/config.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { nodeProcesses } from "../world/node-processes.ts";
import { acp } from "./acp.ts";
import { acpQuirks, quirksOf } from "./acp-quirks.ts";
import { agentEnvironment, type OurEnvironment } from "./agent-environment.ts";
import { driverContract } from "./driver.contract.ts";
import type { Driver, Sign, TurnRequest } from "./driver.ts";

const program = fileURLToPath(new URL("../../test/acp/agent.mjs", import.meta.url));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cox-acp-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

driverContract(
  "acp",
  () => {
    let agents = 0;
    return {
      driver: driver(),
      folder,
      agent(deeds) {
        agents += 1;
        return { driver: "acp", command: agentThat({ deeds }, `deeds-${agents}.json`) };
      },
      end() {},
    };
  },
  { speaksInEvents: true },
);

const usage = { inputTokens: 200, outputTokens: 40, totalTokens: 240 };
const text = (words: string, more = {}) => ({
  tell: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: words }, ...more },
});
const end = (more = {}) => ({ stop: { stopReason: "end_turn", ...more } });

describe("the handshake", () => {
  test("an agent that never answers a step of it has failed, and the step is named", async () => {
    for (const isMuteAt of ["initialize", "session/new"]) {
      const { ended } = await turn({ manner: { isMuteAt } }, { after: whenAsked(isMuteAt) });
      expect(ended).toMatchObject({ kind: "failed", code: "AGENT_PROTOCOL" });
      expect(ended).toHaveProperty("message", expect.stringContaining(`${isMuteAt} within 30 s`));
    }
  });

  test("an agent of another version of the protocol is told so", async () => {
    const { ended } = await turn({ manner: { version: 7 } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_PROTOCOL" });
    expect(ended).toHaveProperty("message", expect.stringContaining("version 7 of the protocol"));
  });

  test("it is told that we write and run nothing for it, where it works, and which server it has", async () => {
    const server = { name: "turn", command: ["node", "server.mjs"] as const, environment: { KEY: "1" } };
    const { heard, desk } = await turn({}, { request: { server } });
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

  test("a model is chosen where the agent offers a choice, and its absence is told", async () => {
    const settings = { model: "large" };
    const session = { configOptions: [option("mode"), option("model")] };
    const offered = await turn({ manner: { session } }, { settings });
    expect(offered.heard("session/set_config_option")).toMatchObject({ configId: "model", value: "large" });
    const { ended } = await turn({}, { settings });
    expect(ended).toMatchObject({ code: "AGENT_PROTOCOL" });
    expect(ended).toHaveProperty("message", expect.stringContaining("write the model into its command"));
  });

  /** Time is over when the agent has been asked, however long that takes it. */
  function whenAsked(method: string): After {
    const isAsked = () => heardIn(join(folder, "deeds.json.heard")).some((one) => one.method === method);
    return (_, call) => {
      const timer = setInterval(() => {
        if (!isAsked()) return;
        clearInterval(timer);
        call();
      }, 20);
      return () => clearInterval(timer);
    };
  }

  function option(id: string) {
    const options = [{ value: "small", name: "small" }];
    return { id, name: id, category: id, type: "select", currentValue: "small", options };
  }
});

describe("what it says", () => {
  test("the reply is the last message, or from the last one with the fence on; never all", async () => {
    const before = [text("thinking", { messageId: "a" }), text(" aloud", { messageId: "a" })];
    const last = await turn({ deeds: [...before, text("AUDIT PASSED", { messageId: "b" })] });
    expect(last.reply).toBe("AUDIT PASSED");
    const block = "```cox-5ac1\n{}\n```";
    const fenced = [...before, text(block, { messageId: "b" }), text("That is all.", { messageId: "c" })];
    expect((await turn({ deeds: fenced })).reply).toBe(`${block}\nThat is all.`);
  });

  test("a tool between two texts parts them, also where messages have no ids", async () => {
    const call = { sessionUpdate: "tool_call_update", toolCallId: "1", title: "ls", kind: "execute" };
    const { reply, signs } = await turn({ deeds: [text("one"), { tell: call }, text("two"), text(" more")] });
    expect(reply).toBe("two more");
    expect(signs).toContainEqual({ kind: "action", words: "running ls" });
  });

  test("what the agent itself says among its model's words is left out", async () => {
    const told = [text("[MODE_UPDATE] plan"), text("AUDIT PASSED")];
    expect((await turn({ deeds: told }, { settings: { acp: "gemini" } })).reply).toBe("AUDIT PASSED");
    const warned = [text("Warning: no metadata\n\n"), text("READY", { messageId: "m" }), end({ usage })];
    expect((await turn({ deeds: warned }, { settings: { acp: "codex" } })).reply).toBe("READY");
    const banner = [text("pi v0.87.1\n---\n"), text("READY")];
    expect((await turn({ deeds: banner }, { settings: { acp: "pi" } })).reply).toBe("READY");
  });

  test("words of a helper's session are not the agent's", async () => {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "helping" } };
    const params = { sessionId: "of-a-helper", update };
    const line = `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params })}\n`;
    expect((await turn({ deeds: [{ say: "mine" }, { print: line }] })).reply).toBe("mine\n");
  });

  test("lines that are no messages, answers to nothing and updates of any shape are survived in silence", async () => {
    const complaints = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => complaints.mockRestore());
    const odd = [
      "npm warn something\n",
      '{"jsonrpc":"2.0","id":99,"result":{}}\n',
      '{"jsonrpc":"2.0","method":"session/update"}\n',
      '{"jsonrpc":"2.0","method":"_auth/status","params":{}}\n',
      '{"half":\n',
      "[]\n",
      "{}\n",
    ];
    const shapes = [null, 1, "x", [], {}, [null]].flatMap((value) =>
      ["agent_message_chunk", "tool_call", "usage_update", "plan", "new"].map((sessionUpdate) => ({
        tell: {
          sessionUpdate,
          content: value,
          toolCallId: value,
          rawInput: value,
          cost: value,
          title: value,
        },
      })),
    );
    const deeds = [...odd.map((print) => ({ print })), ...shapes, { say: "done" }];
    const { ended, reply } = await turn({ deeds });
    expect({ ended, reply }).toEqual({ ended: { kind: "replied" }, reply: "done\n" });
    expect(complaints).not.toHaveBeenCalled();
  });

  test("what comes before the answer is heard before it, in any of many turns", async () => {
    const deeds = [{ ask: {} }, ...Array.from({ length: 20 }, (_, at) => text(`${at} `, { messageId: "m" }))];
    const whole = Array.from({ length: 20 }, (_, at) => `${at} `).join("");
    for (let round = 0; round < 3; round += 1) expect((await turn({ deeds })).reply).toBe(whole);
  });

  test("what it does is told in words, from the desk on, each once", async () => {
    const call = { toolCallId: "1", kind: "edit" };
    const tell = (more: object) => ({ tell: { sessionUpdate: "tool_call_update", ...call, ...more } });
    const { signs } = await turn({
      deeds: [
        { tell: { sessionUpdate: "tool_call", ...call, title: "Preparing file…", rawInput: {} } },
        tell({ rawInput: { file_path: "src/a.ts" }, locations: [{ path: "src/a.ts" }] }),
        tell({ status: "completed" }),
        { tell: { sessionUpdate: "tool_call", toolCallId: "2", kind: "execute", title: "npm test" } },
      ],
    });
    const words = signs.flatMap((sign) => (sign.kind === "action" ? [sign.words] : []));
    expect(words).toEqual(["Preparing file…", "editing src/a.ts", "running npm test"]);
  });
});

describe("permissions", () => {
  const ask = { ask: { title: "Write a.txt", kind: "edit" } };

  test("a developer may, once", async () => {
    expect((await turn({ deeds: [ask] })).answers).toEqual([{ outcome: "selected", optionId: "yes" }]);
  });

  test("who judges or proposes may not, and that is told as what it did", async () => {
    for (const request of [{ role: "auditor" }, { way: "proposal" as const }]) {
      const { answers, signs, misconduct, ended } = await turn(
        { deeds: [ask, { say: "well" }] },
        { request },
      );
      expect(answers).toEqual([{ outcome: "selected", optionId: "no" }]);
      expect(signs).toContainEqual({ kind: "action", words: "was refused: Write a.txt" });
      expect({ misconduct, ended }).toEqual({ misconduct: [], ended: { kind: "replied" } });
    }
  });

  test("the tools of the turn's own server are everybody's, by each agent's way to name them", async () => {
    const server = { name: "turn", command: ["node"] as const, environment: {} };
    const calls = [
      { name: "mcp__turn__submit", title: "mcp__turn__submit" },
      { rawInput: { server: "turn", tool: "submit" } },
      { toolCallId: "mcp_turn_submit__1", title: "submit (turn MCP Server)" },
      { title: "mcp.turn.submit" },
      { title: "mcp.turning.submit" },
      { rawInput: { command: "mcp__turn__submit" } },
    ];
    const deeds = calls.map((call, at) => ({ ask: { toolCallId: String(at), ...call } }));
    const { answers } = await turn({ deeds }, { request: { role: "auditor", server } });
    expect(answers.map(({ optionId }) => optionId)).toEqual(["yes", "yes", "yes", "yes", "no", "no"]);
  });

  test("where no answer of ours is offered, nobody chose", async () => {
    const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
    const { answers } = await turn({ deeds: [{ ask: { options } }] }, { request: { role: "auditor" } });
    expect(answers).toEqual([{ outcome: "cancelled" }]);
  });

  test("an agent that ends its turn over a refusal has failed, and the refusal is named", async () => {
    const deeds = [ask, { stop: { stopReason: "cancelled" } }];
    const { ended } = await turn({ deeds }, { request: { role: "auditor" } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_NO_RESULT" });
    expect(ended).toHaveProperty("message", expect.stringContaining("refused: Write a.txt"));
  });

  test("files and terminals of ours are not to be had", async () => {
    const deeds = ["fs/write_text_file", "fs/read_text_file", "terminal/create"].map((method) => ({
      call: { method, params: { path: "/x", content: "", command: "ls" } },
    }));
    expect((await turn({ deeds })).lines("outcome")).toEqual([-32601, -32601, -32601]);
  });
});

describe("failures", () => {
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
      "details beside it",
      { code: -32603, message: "Internal error", data: { details: "prompt is too long" } },
      "AGENT_CONTEXT",
      /too long/,
    ],
  ])("%s is told as what it is", async (_, fail, code, says) => {
    const { ended, reply } = await turn({ deeds: [{ say: "half" }, { fail }] });
    expect(ended).toMatchObject({ kind: "failed", code, message: expect.stringMatching(says) });
    expect(reply).toBe("half\n");
  });

  test("codex calls a failed request an end, says why beside its messages, and counts nothing", async () => {
    const deeds = [text("exceeded retry limit, last status: 429 Too Many Requests"), end({ usage: null })];
    const { ended } = await turn({ deeds }, { settings: { acp: "codex" } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_RATE_LIMIT" });
    // Of an agent that we do not know this is a reply like another.
    expect((await turn({ deeds })).ended).toEqual({ kind: "replied" });
  });

  test("pi calls a failed request an end, and says nothing", async () => {
    const { ended } = await turn({}, { settings: { acp: "pi" } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_API" });
  });

  test("why it ended stands in its log, where it says so nowhere else", async () => {
    const deeds = [{ complain: "Error: invalid api key\n" }, { exit: 1 }];
    expect((await turn({ deeds })).ended).toMatchObject({ code: "AGENT_NOT_SIGNED_IN" });
    const { ended } = await turn({ deeds: [{ exit: 0 }] });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_NO_RESULT" });
  });

  test("a program that is not there is told with how to get it, and none at all with how to write it", async () => {
    const { ended } = await turn({}, { settings: { command: ["no-such-codex", "codex-acp"] } });
    expect(ended).toMatchObject({ kind: "failed", code: "AGENT_NOT_INSTALLED" });
    expect(ended).toHaveProperty("message", expect.stringContaining("@agentclientprotocol/codex-acp"));
    const none = await driver().start({ ...anyTurn(), settings: { driver: "acp" } }).outcome;
    expect(none.ended).toMatchObject({ kind: "failed", code: "AGENT_SPAWN" });
  });
});

describe("its end", () => {
  test("one that stays when nobody talks to it any more is ended, and its reply counts", async () => {
    const manner = { staysBehind: true };
    const { ended, reply } = await turn(
      { manner, deeds: [{ say: "done" }] },
      { settings: { acp: "gemini" } },
    );
    expect({ ended, reply }).toEqual({ ended: { kind: "replied" }, reply: "done\n" });
  });

  test("to be cancelled it is asked in the protocol's words, and ended if it does not hear them", async () => {
    for (const isDeaf of [false, true]) {
      const { ended, heard } = await turn(
        { manner: { isDeaf }, deeds: [{ say: "thinking" }, { hang: true }] },
        { onSign: (sign, cancel) => sign.kind === "line" && cancel() },
      );
      expect(ended).toEqual({ kind: "cancelled" });
      expect(heard("session/cancel")).toBeDefined();
    }
  });
});

describe("a conversation that is gone on with", () => {
  const request = { resume: "of-old" };

  test("is resumed where the agent can, and is of the same name", async () => {
    const manner = { capabilities: { loadSession: true, sessionCapabilities: { resume: {} } } };
    const { heard, session, desk } = await turn({ manner }, { request });
    expect(heard("session/resume")).toMatchObject({ sessionId: "of-old", cwd: desk });
    expect(heard("session/prompt")).toMatchObject({ sessionId: "of-old" });
    expect([heard("session/new"), heard("session/load"), session]).toEqual([undefined, undefined, "of-old"]);
  });

  test("else is loaded, and what is told again is no word of this turn", async () => {
    const manner = { capabilities: { loadSession: true }, replay: true };
    const { reply, heard } = await turn({ manner, deeds: [{ say: "new" }] }, { request });
    expect(heard("session/load")).toMatchObject({ sessionId: "of-old" });
    expect(reply).toBe("new\n");
    expect((await turn({ manner }, { request })).reply).toBe("");
  });

  test("costs what is not known, since all its turns are in the sum", async () => {
    const cost = { tell: { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 0.5 } } };
    const manner = { capabilities: { sessionCapabilities: { resume: {} } } };
    const deeds = [cost, end({ usage })];
    expect((await turn({ manner, deeds }, { request })).usage).toEqual({
      inputTokens: 200,
      outputTokens: 40,
    });
    expect((await turn({ deeds })).usage).toEqual({
      inputTokens: 200,
      outputTokens: 40,
      usdMicros: 500_000,
    });
  });

  test("can be had from those whose sessions survive it, and from no others", () => {
    const can = (settings: object) => driver().of?.({ driver: "acp", ...settings }).canResume;
    expect(can({ command: ["codex-acp"] })).toBe(true);
    expect(can({ acp: "claude" })).toBe(true);
    expect(can({ command: ["gemini", "--acp"] })).toBe(false);
    expect(can({ command: ["some-agent"] })).toBe(false);
  });
});

describe("the ways of each", () => {
  test("are those that a configuration can name", () => {
    expect(acpQuirks.map(({ name }) => name)).toEqual(acpAgents);
    for (const name of acpAgents) expect(quirksOf({ acp: name }).name).toBe(name);
  });

  test.each([
    [["gemini", "--acp"], "gemini"],
    [["npx", "-y", "@agentclientprotocol/codex-acp@2.6.0"], "codex"],
    [["/opt/node", "/x/node_modules/.bin/claude-agent-acp"], "claude"],
    [["/usr/bin/opencode", "acp"], "opencode"],
    [["pi-acp"], "pi"],
    [["goose", "acp"], ""],
    [["geminix"], ""],
  ])("are guessed from %j", (command, name) => {
    expect(quirksOf({ command }).name).toBe(name);
  });

  test("keep who judges from writing, each in its way", async () => {
    const played = async (acp: string, role: string) => {
      const deeds = [{ say: "$COX_ROLE" }, end({ usage })];
      const manner = { session: { modes: { currentModeId: "a", availableModes: [] } } };
      return await turn({ deeds, manner }, { settings: { acp }, request: { role } });
    };
    const claude = (await played("claude", "auditor")).heard("session/new");
    expect(claude).toMatchObject({
      _meta: { claudeCode: { options: { tools: ["Read", "Grep", "Glob"], settingSources: ["user"] } } },
    });
    expect(JSON.stringify((await played("claude", "developer")).heard("session/new"))).not.toContain("Grep");
    expect((await played("gemini", "auditor")).heard("session/set_mode")).toMatchObject({ modeId: "plan" });
    expect((await played("gemini", "developer")).heard("session/set_mode")).toBeUndefined();
    expect((await played("opencode", "auditor")).heard("session/set_mode")).toMatchObject({
      modeId: "cox-read-only",
    });
    expect(quirksOf({ acp: "codex" }).readOnly.environment).toEqual({ INITIAL_AGENT_MODE: "read-only" });
  });

  test("its own variables reach it, and no others", async () => {
    const ours = {
      PATH: "/usr/bin:/bin",
      GITHUB_TOKEN: "x",
      OPENAI_API_KEY: "x",
      INITIAL_AGENT_MODE: "agent",
    };
    const deeds = [end({ usage })];
    const codex = await turn({ deeds }, { settings: { acp: "codex" }, ours });
    expect(codex.lines("environment")).toMatchObject([
      { OPENAI_API_KEY: "x", INITIAL_AGENT_MODE: "workspace-write", COX_TASK: "users" },
    ]);
    expect(codex.lines("environment")[0]).not.toHaveProperty("GITHUB_TOKEN");
    const other = await turn({ deeds }, { ours });
    for (const name of ["OPENAI_API_KEY", "INITIAL_AGENT_MODE", "GITHUB_TOKEN"])
      expect(other.lines("environment")[0]).not.toHaveProperty(name);
  });

  test("a developer may write to its desk, and who only judges to nothing but its scratch folder", async ({
    skip,
  }) => {
    const write = { write: { path: "a.txt", content: "mine" } };
    expect((await turn({ deeds: [write] })).ended).toEqual({ kind: "replied" });
    const judging = await turn({ deeds: [write, { say: "written" }] }, { request: { role: "auditor" } });
    if (judging.isUnheld) skip("this machine lets no user confine a program");
    expect(judging.reply).toBe("");
    expect(judging.ended).toMatchObject({ kind: "failed", message: expect.stringContaining("EROFS") });
  });
});

interface Play {
  readonly deeds?: readonly object[];
  readonly manner?: object;
}

interface Wishes {
  readonly request?: Partial<TurnRequest>;
  readonly settings?: object;
  readonly after?: After;
  readonly ours?: OurEnvironment;
  onSign?(sign: Sign, cancel: () => void): unknown;
}

async function turn(play: Play, { request = {}, settings = {}, after, ours, onSign }: Wishes = {}) {
  const base = anyTurn();
  const command = agentThat(play, "deeds.json");
  rmSync(join(folder, "deeds.json.heard"), { force: true });
  const signs: Sign[] = [];
  const handle = driver({ ...(after && { after }), ...(ours && { ours }) }).start(
    { ...base, ...request, settings: { driver: "acp", command, ...settings } },
    {
      onSign(sign) {
        signs.push(sign);
        onSign?.(sign, () => handle.cancel());
      },
    },
  );
  const outcome = await handle.outcome;
  const remembered = heardIn(join(folder, "deeds.json.heard"));
  const lines = (name: string) => remembered.flatMap((one) => (name in one ? [one[name]] : []));
  return {
    ...outcome,
    reply: decodeUtf8(outcome.reply),
    desk: base.desk,
    signs,
    lines,
    heard: (method: string) => remembered.find((one) => one.method === method)?.params,
    answers: lines("answer").map((answer) => (answer as { outcome: Record<string, string> }).outcome),
  };
}

function heardIn(file: string): Record<string, unknown>[] {
  try {
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  } catch {
    return []; // It was never started.
  }
}

function agentThat(play: Play, name: string): [string, ...string[]] {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(play));
  return [process.execPath, program, file];
}

function anyTurn() {
  const [desk, scratch] = [join(folder, "desk"), join(folder, "scratch")];
  mkdirSync(desk, { recursive: true });
  mkdirSync(scratch, { recursive: true });
  return {
    ...{ turn: "t1", run: "r1", task: "users", attempt: 1, agent: "ada", role: "developer" },
    ...{ way: "desk" as const, fence: "cox-5ac1", prompt: "Please do it.", readOnly: [], desk, scratch },
  };
}

type After = (ms: number, call: () => void) => () => void;

const timed: After = (ms, call) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

interface TestWorld {
  readonly after?: After;
  readonly ours?: OurEnvironment;
}

function driver({ after = timed, ours = { PATH: "/usr/bin:/bin" } }: TestWorld = {}): Driver {
  return acp({
    processes: nodeProcesses,
    graceMs: 300,
    handshakeMs: 30_000,
    after,
    environmentOf: (turn, variables) => agentEnvironment(turn, ours, variables),
  });
}
