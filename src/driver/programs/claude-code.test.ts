import { expect, test } from "vitest";
import { captured, playedTurn } from "../../../test/clients/played-turn.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { claudeCode } from "./claude-code.ts";

const heard = (what: string, code = 0) =>
  playedTurn(
    claudeCode,
    {},
    { stdout: captured(claudeCode, `${what}.jsonl`), how: { kind: "exited", code } },
  );

test("a good turn of Claude Code: the last message is the reply, and its actions are reported in words", async () => {
  const { outcome, signs } = await heard("work");
  expect(outcome).toMatchObject({
    ended: { kind: "replied" },
    usage: { inputTokens: 300, outputTokens: 60, usdMicros: 2400 },
    session: "1ff99bb9-c095-47de-badb-8ae1c9097c96",
    lastLine: "READY FOR AUDIT: x",
    toolUses: 2,
  });
  expect(decodeUtf8(outcome.reply)).toBe("All done.\nREADY FOR AUDIT: x");
  const actions = signs.flatMap((sign) => (sign.kind === "action" ? [sign.words] : []));
  expect(actions).toEqual([
    "I will write it.",
    "editing a.txt",
    "running echo from bash > b.txt",
    "READY FOR AUDIT: x",
  ]);
});

const failures = {
  "status-401": ["AGENT_NOT_SIGNED_IN", "Invalid API key", "/login"],
  "not-logged-in": ["AGENT_NOT_SIGNED_IN", "Not logged in", "/login"],
  "status-429": ["AGENT_RATE_LIMIT", "ask again in 1 s", "Resume after that"],
  context: ["AGENT_CONTEXT", "Prompt is too long", "Split the task"],
  "status-500": ["AGENT_API", "500 boom", "Try again"],
  refusal: ["AGENT_REFUSED", "safeguards", "another agent"],
  "max-turns": ["AGENT_LIMIT", "maximum number of turns", "args"],
  interrupted: ["AGENT_NO_RESULT", "interrupted", ""],
};

for (const [what, [code, says, advises]] of Object.entries(failures)) {
  test(`${what}: a Claude Code result that is no success is ${code}, with what was said and what to do`, async () => {
    // Whatever the exit code is: some of them exited with 0.
    for (const exit of [0, 1]) {
      const { ended } = (await heard(what, exit)).outcome;
      expect(ended).toMatchObject({ kind: "failed", code });
      expect(ended).toHaveProperty("message", expect.stringContaining(says ?? ""));
      expect(ended).toHaveProperty("message", expect.stringContaining(advises ?? ""));
    }
  });
}

test("the usage of a failed Claude Code turn counts too", async () => {
  expect((await heard("refusal", 1)).outcome.usage).toMatchObject({
    inputTokens: 200,
    outputTokens: 40,
    usdMicros: 1600,
  });
});

test("an interrupted Claude Code turn keeps what was said", async () => {
  expect(decodeUtf8((await heard("interrupted")).outcome.reply)).toBe("I begin with");
});

test("Claude Code's structured output is the reply; if it was asked for and not given, the text is", async () => {
  expect(decodeUtf8((await heard("structured-output")).outcome.reply)).toBe('{"a":"b"}');
  expect(decodeUtf8((await heard("no-structured-output")).outcome.reply)).toBe("no json");
});

test("the reset time of a Claude Code limit is reported if it is given", async () => {
  const limit = '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1794823200}}\n';
  const stdout = limit + captured(claudeCode, "status-429.jsonl");
  const { ended } = (await playedTurn(claudeCode, {}, { stdout })).outcome;
  expect(ended).toHaveProperty("message", expect.stringContaining("resets at 2026-11-16T10:00:00.000Z"));
  expect(ended).toHaveProperty("resetsAt", 1_794_823_200_000);
});

test("messages of Claude Code's subagents are not part of the reply", async () => {
  const line = (parent: string | null, text: string) =>
    `${JSON.stringify({ type: "assistant", parent_tool_use_id: parent, message: { content: [{ type: "text", text }] } })}\n`;
  const stdout = `${line(null, "mine")}${line("toolu_1", "its helper's")}`;
  expect(decodeUtf8((await playedTurn(claudeCode, {}, { stdout })).outcome.reply)).toBe("mine");
});

test("an auditor in Claude Code has no tool that writes, whatever the user adds, and no settings of the desk", async () => {
  const settings = {
    driver: "claude-code",
    args: ["--tools", "default", "--permission-mode", "acceptEdits"],
  };
  const { argv } = (await playedTurn(claudeCode, { role: "auditor", settings })).program;
  expect(argv.slice(argv.lastIndexOf("--tools"))).toEqual([
    ...["--tools", "Read,Grep,Glob", "--disallowedTools", "Bash,Edit,Write,NotebookEdit"],
  ]);
  expect(argv[argv.lastIndexOf("--permission-mode") + 1]).toBe("default");
  expect(argv[argv.indexOf("--setting-sources") + 1]).toBe("user");
});

test("variables of a surrounding Claude Code session are not passed on, and retries are few unless the user says otherwise", async () => {
  const ours = { CLAUDE_CODE_SSE_PORT: "1", CLAUDECODE: "1", CLAUDE_CONFIG_DIR: "/mine" };
  const { environment } = (await playedTurn(claudeCode, {}, { ours })).program;
  expect(environment).toMatchObject({ CLAUDE_CONFIG_DIR: "/mine", CLAUDE_CODE_MAX_RETRIES: "3" });
  expect(environment).not.toHaveProperty("CLAUDE_CODE_SSE_PORT");
  expect(environment).not.toHaveProperty("CLAUDECODE");
  const told = await playedTurn(claudeCode, {}, { ours: { CLAUDE_CODE_MAX_RETRIES: "9" } });
  expect(told.program.environment.CLAUDE_CODE_MAX_RETRIES).toBe("9");
});

test("a resumed Claude Code conversation is charged for this turn only, even by a version that reports only the sum", async () => {
  const stdout = captured(claudeCode, "resumed.jsonl");
  const tokens = { inputTokens: 100, outputTokens: 20 };
  const { outcome } = await playedTurn(claudeCode, { resume: "1dc5b458" }, { stdout });
  expect(outcome.usage).toMatchObject({ ...tokens, usdMicros: 800 });
  const older = stdout.replace("model_usage_since_last_result", "left_out");
  const { usage } = (await playedTurn(claudeCode, { resume: "1dc5b458" }, { stdout: older })).outcome;
  expect(usage).toMatchObject(tokens);
  expect(usage).not.toHaveProperty("usdMicros");
});

test("Claude Code's own money limit is reported as a limit", async () => {
  const stdout = captured(claudeCode, "max-turns.jsonl").replaceAll(
    "error_max_turns",
    "error_max_budget_usd",
  );
  const { ended } = (await playedTurn(claudeCode, {}, { stdout })).outcome;
  expect(ended).toMatchObject({ kind: "failed", code: "AGENT_LIMIT" });
});

test("Claude Code uses the turn's tools without asking, waits for them, and starts no server of the user's", async () => {
  const server = { name: "turn", command: ["node"], environment: {} } as const;
  for (const role of ["developer", "auditor"]) {
    const { argv, environment } = (await playedTurn(claudeCode, { server, role })).program;
    expect(argv[argv.indexOf("--allowedTools") + 1]).toBe("mcp__turn");
    expect(argv).toContain("--strict-mcp-config");
    expect(environment).toMatchObject({ CLAUDE_CODE_MCP_STARTUP_WAIT_MS: "60000", MCP_TIMEOUT: "60000" });
  }
});

test("the usage of Claude Code's subagents, with models of their own, is counted", async () => {
  const used = (inputTokens: number) => ({ inputTokens, outputTokens: 10, costUSD: 0.001 });
  const result = {
    ...{ type: "result", subtype: "success", is_error: false, result: "done", total_cost_usd: 0.002 },
    usage: { input_tokens: 100, output_tokens: 10 },
    modelUsage: { large: used(100), small: used(40) },
  };
  const { outcome } = await playedTurn(claudeCode, {}, { stdout: `${JSON.stringify(result)}\n` });
  expect(outcome.usage).toMatchObject({ inputTokens: 140, outputTokens: 20, usdMicros: 2000 });
});
