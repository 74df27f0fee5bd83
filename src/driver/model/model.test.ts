import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { collectGarbage } from "../../../test/collect-garbage.ts";
import type { ModelScript, ModelStep } from "../../model-server/script.ts";
import { ModelServer } from "../../model-server/server.ts";
import { readReply } from "../../reply/read.ts";
import { readAudit } from "../../reply/read-audit.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { nodeChance } from "../../world/chance.ts";
import { openFiles } from "../../world/files/choose-files.ts";
import { nodeLoopbackServers } from "../../world/network/node-loopback-server.ts";
import { proxiedFetch } from "../../world/network/proxied-fetch.ts";
import { nodeClock } from "../../world/time/clock.ts";
import type { AgentSettings } from "../agent-settings.ts";
import { type AgentStep, driverContract } from "../driver.contract.ts";
import type { SignOfLife, TurnRequest } from "../driver.ts";
import { model } from "./model.ts";

driverContract(
  "model",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "cox-model-"));
    const agents: (readonly AgentStep[])[] = [];
    return {
      driver: model({
        files: openFiles(),
        environment: {},
        now: () => 0,
        fetch: async (_url, { body, signal } = {}) => {
          const { model } = JSON.parse(String(body)) as { model: string };
          return played(agents[Number(model)] ?? [], signal ?? undefined);
        },
      }),
      folder,
      agent(deeds) {
        agents.push(deeds);
        const url = "http://127.0.0.1:1/v1";
        return { driver: "model", api: "openai", url, model: String(agents.length - 1) };
      },
      end: () => rmSync(folder, { recursive: true }),
    };
  },
  { isBare: true },
);

/** An answer in OpenAI's chat format that performs these steps. */
function played(deeds: readonly AgentStep[], signal: AbortSignal | undefined): Response {
  async function* frames() {
    for (const deed of deeds) {
      if ("say" in deed) yield frame({ content: deed.say.replace(/\n?$/, "\n") });
      if ("flood" in deed)
        for (let left = deed.flood; left > 0; left -= 65536)
          yield frame({ content: `${"~".repeat(1023)}\n`.repeat(64) });
      if ("hang" in deed) await new Promise((end) => signal?.addEventListener("abort", end));
    }
    yield frame({}, "stop");
    yield "data: [DONE]\n\n";
  }
  const steps = frames();
  const stream = new ReadableStream({
    async pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason);
      const { done, value } = await steps.next();
      if (done) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
  });
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

function frame(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "1", created: 0, model: "m", choices })}\n\n`;
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cox-model-"));
  mkdirSync(join(folder, "desk"));
  mkdirSync(join(folder, "scratch"));
});

afterEach(() => rmSync(folder, { recursive: true }));

interface ModelTurnOptions {
  readonly turn?: Partial<TurnRequest>;
  readonly settings?: Partial<AgentSettings>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly script?: ModelScript;
  readonly desk?: Readonly<Record<string, string>>;
  onSign?(sign: SignOfLife, cancel: () => void): void | Promise<void>;
  onAsked?(cancel: () => void): void;
}

const apis = ["anthropic", "openai"] as const;

async function turnOf(
  api: (typeof apis)[number],
  steps: readonly ModelStep[],
  options: ModelTurnOptions = {},
) {
  for (const [path, text] of Object.entries(options.desk ?? {})) {
    mkdirSync(dirname(join(folder, "desk", path)), { recursive: true });
    writeFileSync(join(folder, "desk", path), text);
  }
  const script = options.script ?? { conversations: { main: { steps: [...steps] } } };
  const server = await ModelServer.start(
    { servers: nodeLoopbackServers, clock: nodeClock, chance: nodeChance },
    { script, onRequest: () => options.onAsked?.(() => handle.cancel()) },
  );
  onTestFinished(() => server.close());
  const driver = model({
    files: openFiles(),
    environment: options.environment ?? {},
    fetch: proxiedFetch({}),
    now: nodeClock.now,
    retriesMax: 0,
  });
  const signs: SignOfLife[] = [];
  const handle = driver.start(
    {
      ...{ turn: "t1", run: "r1", task: "users", attempt: 1, agent: "ada", role: "developer" },
      ...{ mode: "proposal", fence: "cox-5ac1", prompt: "Please do it.", readOnly: [] },
      settings: { driver: "model", api, url: `${server.url}/v1`, model: "m1", ...options.settings },
      desk: join(folder, "desk"),
      scratch: join(folder, "scratch"),
      ...options.turn,
    },
    {
      onSign(sign) {
        signs.push(sign);
        void options.onSign?.(sign, () => handle.cancel());
      },
    },
  );
  const outcome = await handle.outcome;
  const asked = server.seen;
  return { outcome, reply: decodeUtf8(outcome.reply), signs, asked, handle };
}

const create = {
  operation: "create",
  file_path: "src/a.ts",
  description: "make the file",
  content: "export {};\n",
};
const ready = { specialist_summary: "It is there.", signal: "READY FOR AUDIT" };

describe.each(apis)("a bare model over the API of %s", (api) => {
  test("reads its desk, proposes and submits, and that is its reply; usage is summed", async () => {
    const { outcome, reply, signs, asked } = await turnOf(
      api,
      [
        {
          text: "I look first.",
          tool: "list_files",
          input: {},
          usage: { input: 10, output: 1, cacheRead: 5 },
        },
        { tool: "read_file", input: { path: "src/b.ts" }, usage: { input: 20, output: 2 } },
        { tool: "propose_operations", input: { operations: [create] }, usage: { input: 30, output: 3 } },
        { tool: "submit_reply", input: ready, usage: { input: 40, output: 4 } },
      ],
      { desk: { "src/b.ts": "const b = 1;\n" } },
    );
    expect(outcome.ended).toEqual({ kind: "replied" });
    expect(outcome.toolUses).toBe(4);
    expect(outcome).not.toHaveProperty("identity");
    const read = readReply(reply, { fence: "cox-5ac1", task: "users" });
    expect(read.problems).toEqual([]);
    expect(read.reply).toMatchObject({
      operations: [{ filePath: "src/a.ts", content: "export {};\n" }],
      summary: "It is there.",
      signal: { name: "READY FOR AUDIT" },
    });
    expect(outcome.usage).toMatchObject({
      ...{ inputTokens: 105, outputTokens: 10 },
      models: [{ inputTokens: 105, outputTokens: 10 }],
    });
    // After it has submitted, the model is not asked again.
    expect(asked).toHaveLength(4);
    expect(JSON.stringify(asked[1]?.turns.at(-1))).toContain("src/b.ts");
    expect(JSON.stringify(asked[2]?.turns.at(-1))).toContain("const b = 1;");
    const words = signs.flatMap((sign) => (sign.kind === "action" ? [sign.words] : []));
    expect(words).toEqual([
      "I look first.",
      "looking into its desk",
      "reading src/b.ts",
      "proposing src/a.ts",
      "submitting its reply",
    ]);
  });

  test("as an auditor reads the desk, proposes nothing, and submits its verdict", async () => {
    const { outcome, reply, asked } = await turnOf(
      api,
      [{ tool: "submit_reply", input: { verdict: "PASS", summary: "fine", evidence: [] } }],
      { turn: { role: "auditor" } },
    );
    expect(outcome.ended).toEqual({ kind: "replied" });
    expect(readAudit(reply, { fence: "cox-5ac1", task: "users" }).audit).toMatchObject({ verdict: "PASS" });
    expect(asked[0]?.tools.map(({ name }) => name)).toEqual([
      "read_file",
      "list_files",
      "search_files",
      "submit_reply",
    ]);
  });

  test("is told what is wrong with its proposal within the turn, and can correct it", async () => {
    const edit = (old_string: string) => ({
      ...{ operation: "edit", file_path: "src/b.ts", description: "change the number" },
      edits: [{ old_string, new_string: "b = 2" }],
    });
    const steps = [
      { tool: "propose_operations", input: { operations: [{ ...create, operation: "make" }] } },
      { tool: "submit_reply", input: { signal: "READY FOR AUDIT" } },
      { tool: "propose_operations", input: { operations: [create, edit("c = 1")] } },
      { tool: "submit_reply", input: { ...ready, file_operations: [create, edit("b = 1")] } },
    ];
    const { outcome, reply, asked } = await turnOf(api, steps, { desk: { "src/b.ts": "const b = 1;\n" } });
    expect(outcome.ended).toEqual({ kind: "replied" });
    expect(JSON.stringify(asked[3]?.turns.at(-1))).toContain("OPS_FIND_NOT_FOUND at file_operations[1]");
    expect(JSON.stringify(asked[1]?.turns.at(-1))).toContain("SCHEMA_ENUM at file_operations[0]");
    expect(JSON.stringify(asked[2]?.turns.at(-1))).toContain("SCHEMA_REQUIRED");
    expect(readReply(reply, { fence: "cox-5ac1", task: "users" }).reply?.operations).toHaveLength(2);
  });

  test("that calls no tool replies with its last words", async () => {
    const text = "Nothing to do.\n\n```cox-5ac1\n{}\n```\n";
    const { outcome, reply } = await turnOf(api, [{ thinking: "hm", text }]);
    expect(outcome.ended).toEqual({ kind: "replied" });
    expect(reply).toBe(text);
  });

  test("may call an unknown tool, or one with nonsense, without ending the turn", async () => {
    const { outcome } = await turnOf(api, [
      {
        tools: [
          { tool: "write_file", input: { path: "a" } },
          { tool: "read_file", input: [1] },
          { tool: "search_files" },
        ],
      },
      { text: "done" },
    ]);
    expect(outcome.ended).toEqual({ kind: "replied" });
  });

  test("keeps turns at the same time apart", async () => {
    const tasks = ["one", "two", "three"];
    const says = (task: string): [string, { when: object; steps: ModelStep[] }] => [
      task,
      {
        when: { prompt: `task ${task}` },
        steps: [{ tool: "submit_reply", input: { signal: `TASK INCOMPLETE: no ${task} here` } }],
      },
    ];
    const script: ModelScript = { conversations: Object.fromEntries(tasks.map(says)) };
    const ended = await Promise.all(
      tasks.map((task) => turnOf(api, [], { script, turn: { task, prompt: `Do task ${task}.` } })),
    );
    for (const [index, { reply }] of ended.entries())
      expect(readReply(reply, { fence: "cox-5ac1", task: tasks[index] ?? "" }).reply?.signal).toMatchObject({
        text: `no ${tasks[index]} here`,
      });
  });

  test("is asked 50 times at most", async () => {
    const { outcome, asked } = await turnOf(api, [{ tool: "list_files", input: {} }]);
    expect(outcome.ended).toMatchObject({ kind: "failed", code: "AGENT_LIMIT" });
    expect(asked).toHaveLength(50);
  });

  test.each([
    [
      "status 401",
      { status: 401, error: "bad key sk-secret-1" },
      "AGENT_NOT_SIGNED_IN",
      /Set MY_KEY to a key that is valid for 127/,
    ],
    ["status 403", { status: 403, error: "no" }, "AGENT_NOT_SIGNED_IN", /Set MY_KEY/],
    [
      "a context that is too long",
      { status: 400, error: "prompt is too long: 210000 tokens" },
      "AGENT_CONTEXT",
      /Split the task/,
    ],
    ["no such model", { status: 404, error: "model m1 not found" }, "AGENT_API", /Is "m1" a model that 127/],
    ["status 500", { status: 500, error: "oops" }, "AGENT_API", /status 500/],
    ["status 400", { status: 400, error: "what?" }, "AGENT_API", /"what\?"/],
    ["a connection that is dropped", { drop: true }, "AGENT_API", /did not reach its model/],
    ["a stream that is cut", { text: "one two three four", truncate: true }, "AGENT_NO_RESULT", /cut off/],
    ["a refusal", { text: "I will not.", stop: "refusal" }, "AGENT_REFUSED", /Reword the task/],
    [
      "an answer that is too long",
      { text: "and so on", stop: "length" },
      "AGENT_LIMIT",
      /longer than its model may write/,
    ],
  ] satisfies [string, ModelStep, string, RegExp][])(
    "fails under its own code for %s",
    async (_, step, code, words) => {
      const { outcome } = await turnOf(api, [step], {
        settings: { key: "MY_KEY" },
        environment: { MY_KEY: "sk-secret-1" },
      });
      expect(outcome.ended).toMatchObject({ kind: "failed", code });
      expect(outcome.ended).toHaveProperty("message", expect.stringMatching(words));
      expect(JSON.stringify(outcome)).not.toContain("sk-secret-1");
    },
  );

  test("reports a rate limit at once, with the time when it is lifted", async () => {
    const before = Date.now();
    const { outcome, asked } = await turnOf(api, [{ rateLimit: { resetSeconds: 90 } }, { text: "done" }]);
    expect(outcome.ended).toMatchObject({ kind: "failed", code: "AGENT_RATE_LIMIT" });
    const { resetsAt = 0 } = outcome.ended as { resetsAt?: number };
    expect(resetsAt).toBeGreaterThanOrEqual(before + 89_000);
    expect(resetsAt).toBeLessThan(before + 200_000);
    expect(asked).toHaveLength(1);
  });

  test("that never answers is ended by cancel", async () => {
    const { outcome, reply } = await turnOf(api, [{ hang: "before" }], { onAsked: (cancel) => cancel() });
    expect(outcome.ended).toEqual({ kind: "cancelled" });
    expect(reply).toBe("");
  });

  test("that stops in mid-answer is ended by cancel, and its words so far are kept", async () => {
    const { outcome, reply } = await turnOf(api, [{ text: "one two three", hang: "midway" }], {
      onSign: (_, cancel) => cancel(),
    });
    expect(outcome.ended).toEqual({ kind: "cancelled" });
    expect("one two three".startsWith(reply.trim())).toBe(true);
    expect(reply).not.toBe("");
  });

  test("that stalls is ended by cancel in every turn, even after a garbage collection", async () => {
    for (let turn = 0; turn < 3; turn++) {
      const { outcome } = await turnOf(api, [{ text: "one two three", hang: "midway" }], {
        async onSign(_, cancel) {
          await collectGarbage();
          cancel();
        },
      });
      expect(outcome.ended).toEqual({ kind: "cancelled" });
    }
  });

  test("that knows no tools is asked again without them, with the files that its prompt names", async () => {
    const script: ModelScript = {
      conversations: {
        tools: {
          when: { tool: "read_file" },
          steps: [{ status: 400, error: "registry.ollama.ai/library/gemma:2b does not support tools" }],
        },
        plain: { steps: [{ text: "READY FOR AUDIT: users" }] },
      },
    };
    const { outcome, asked, reply } = await turnOf(api, [], {
      script,
      turn: { prompt: "Change src/b.ts, please." },
      desk: { "src/b.ts": "const b = 1;\n", "src/c.ts": "const c = 1;\n" },
    });
    expect(outcome.ended).toEqual({ kind: "replied" });
    expect(reply).toBe("READY FOR AUDIT: users");
    expect(asked[1]?.tools).toEqual([]);
    expect(asked[1]?.system).toContain("const b = 1;");
    expect(asked[1]?.system).toContain("src/c.ts");
    expect(asked[1]?.system).not.toContain("const c = 1;");
  });
});
