import { expect, test } from "vitest";
import { captured, playedTurn } from "../../../test/clients/played-turn.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { codex } from "./codex.ts";

const heard = (what: string, code = 0) =>
  playedTurn(codex, {}, { stdout: captured(codex, `${what}.jsonl`), how: { kind: "exited", code } });

test("a good turn of Codex: the last message is the reply, and a warning among the items is no failure", async () => {
  const { outcome, signs } = await heard("work");
  expect(outcome).toMatchObject({
    ended: { kind: "replied" },
    usage: { inputTokens: 300, outputTokens: 60 },
    session: "01a1e380-2ca6-7881-88f9-978ed61f1dd6~300~60~0",
    toolUses: 1,
  });
  expect(decodeUtf8(outcome.reply)).toBe("READY FOR AUDIT: x");
  const actions = signs.flatMap((sign) => (sign.kind === "action" ? [sign.words] : []));
  expect(actions).toEqual(["Writing.", "running echo hi > d.txt", "READY FOR AUDIT: x"]);
});

const failures = {
  "status-401": ["AGENT_NOT_SIGNED_IN", "Incorrect API key", "codex login"],
  "status-429": ["AGENT_RATE_LIMIT", "429 Too Many Requests", "another agent"],
  context: ["AGENT_CONTEXT", '"Your input exceeds the context window of this model."', "Split the task"],
  "status-500": ["AGENT_API", "high demand", "Try again"],
  truncate: ["AGENT_API", "stream disconnected", "Try again"],
};

for (const [what, [code, says, advises]] of Object.entries(failures)) {
  test(`${what}: a failed Codex turn is ${code}, with what was said and what to do`, async () => {
    const { ended } = (await heard(what, 1)).outcome;
    expect(ended).toMatchObject({ kind: "failed", code });
    expect(ended).toHaveProperty("message", expect.stringContaining(says ?? ""));
    expect(ended).toHaveProperty("message", expect.stringContaining(advises ?? ""));
  });
}

test("Codex reports the usage of the whole thread: a later number replaces the one before", async () => {
  const done = (tokens: number) =>
    `{"type":"turn.completed","usage":{"input_tokens":${tokens},"output_tokens":${tokens / 5}}}\n`;
  const { outcome } = await playedTurn(codex, {}, { stdout: done(100) + done(200) });
  expect(outcome.usage).toMatchObject({ inputTokens: 200, outputTokens: 40 });
});

test("the earlier usage of a Codex thread is kept with its name, even through a failed turn", async () => {
  const started = '{"type":"thread.started","thread_id":"t-1"}\n';
  const failed = '{"type":"turn.failed","error":{"message":"boom"}}\n';
  const lost = await playedTurn(codex, { resume: "t-1~300~60" }, { stdout: started + failed });
  expect(lost.outcome.session).toBe("t-1~300~60");
  // The usage of the next turn includes what the failed one used.
  const done = '{"type":"turn.completed","usage":{"input_tokens":500,"output_tokens":100}}\n';
  const { outcome } = await playedTurn(codex, { resume: "t-1~300~60" }, { stdout: started + done });
  expect(outcome).toMatchObject({
    usage: { inputTokens: 200, outputTokens: 40 },
    session: "t-1~500~100~0",
  });
});

test("the turn server's settings for Codex are valid TOML, whatever is in them", async () => {
  const environment = { COX_RULES: '{"writes":["a \\"b\\" ü"]}' };
  const server = { name: "turn", command: ["/bin/no de", "x"], environment } as const;
  const { argv } = (await playedTurn(codex, { server })).program;
  expect(argv).toContain('mcp_servers.turn.command="/bin/no de"');
  expect(argv).toContain('mcp_servers.turn.args=["x"]');
  expect(argv).toContain(`mcp_servers.turn.env={ COX_RULES = ${JSON.stringify(environment.COX_RULES)} }`);
});

test("an error from which Codex recovers is no failure", async () => {
  const stdout = `{"type":"error","message":"Reconnecting... 1/5"}\n${captured(codex, "work.jsonl")}`;
  expect((await playedTurn(codex, {}, { stdout })).outcome.ended).toEqual({ kind: "replied" });
});

test("a Codex edit reported at its beginning and its end is one use of a tool; a turn of words has none", async () => {
  const item = { id: "item_1", type: "file_change", changes: [{ path: "/desk/a.ts", kind: "add" }] };
  const lines = (events: object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join("");
  const both = lines([
    { type: "item.started", item },
    { type: "item.completed", item },
  ]);
  expect((await playedTurn(codex, {}, { stdout: both })).outcome.toolUses).toBe(1);
  const words = lines([{ type: "item.completed", item: { type: "agent_message", text: "Done." } }]);
  expect((await playedTurn(codex, {}, { stdout: words })).outcome.toolUses).toBe(0);
});

test("a Codex edit is reported by its file, relative to the desk", async () => {
  const item = { type: "file_change", changes: [{ path: "/desk/src/a.ts", kind: "add" }] };
  const stdout = `${JSON.stringify({ type: "item.completed", item })}\n`;
  const { signs } = await playedTurn(codex, {}, { stdout });
  expect(signs).toContainEqual({ kind: "action", words: "editing src/a.ts" });
});

test("an auditor in Codex gets its read-only sandbox as the last argument", async () => {
  const { argv } = (await playedTurn(codex, { role: "auditor" })).program;
  expect(argv.slice(-2)).toEqual(["--sandbox", "read-only"]);
  expect(argv.join(" ")).not.toContain("workspace-write");
});

test("Codex uses the turn's tools without asking, since nobody is there to answer, and a dead server ends nothing", async () => {
  const server = { name: "turn", command: ["node"], environment: {} } as const;
  const { argv } = (await playedTurn(codex, { server })).program;
  expect(argv).toContain('approval_policy="never"');
  expect(argv).toContain('mcp_servers.turn.default_tools_approval_mode="approve"');
  expect(argv.join(" ")).not.toContain("required");
});

test("Codex's notices among its items, like an unknown model, are no failure and no reply", async () => {
  const item = { type: "error", message: "Model metadata for `scripted` not found." };
  const warned = `${JSON.stringify({ type: "item.completed", item })}\n`;
  const { outcome } = await playedTurn(codex, {}, { stdout: captured(codex, "work.jsonl") + warned });
  expect(outcome.ended).toEqual({ kind: "replied" });
  expect(decodeUtf8(outcome.reply)).toBe("READY FOR AUDIT: x");
});
