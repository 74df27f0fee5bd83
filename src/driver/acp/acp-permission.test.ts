import { expect, test } from "vitest";
import { playedTurn } from "../../../test/acp/played-turn.ts";

const ask = { ask: { title: "Write a.txt", kind: "edit" } };

test("an ACP developer that asks for permission is allowed once, not for ever", async () => {
  expect((await playedTurn({ deeds: [ask] })).answers).toEqual([{ outcome: "selected", optionId: "yes" }]);
});

test("an ACP agent that audits or proposes is refused permission to write, and the refusal is recorded as its action", async () => {
  for (const request of [{ role: "auditor" }, { mode: "proposal" as const }]) {
    const { answers, signs, misconduct, ended } = await playedTurn(
      { deeds: [ask, { say: "well" }] },
      { request },
    );
    expect(answers).toEqual([{ outcome: "selected", optionId: "no" }]);
    expect(signs).toContainEqual({ kind: "action", words: "was refused: Write a.txt" });
    expect({ misconduct, ended }).toEqual({ misconduct: [], ended: { kind: "replied" } });
  }
});

test("every ACP agent may use the tools of the turn server, however it names them", async () => {
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
  const { answers } = await playedTurn({ deeds }, { request: { role: "auditor", server } });
  expect(answers.map(({ optionId }) => optionId)).toEqual(["yes", "yes", "yes", "yes", "no", "no"]);
});

test("a permission request without an option to refuse is cancelled", async () => {
  const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
  const { answers } = await playedTurn({ deeds: [{ ask: { options } }] }, { request: { role: "auditor" } });
  expect(answers).toEqual([{ outcome: "cancelled" }]);
});

test("an ACP agent that ends its turn over a refusal has failed, and the refusal is named", async () => {
  const deeds = [ask, { stop: { stopReason: "cancelled" } }];
  const { ended } = await playedTurn({ deeds }, { request: { role: "auditor" } });
  expect(ended).toMatchObject({ kind: "failed", code: "AGENT_NO_RESULT" });
  expect(ended).toHaveProperty("message", expect.stringContaining("refused: Write a.txt"));
});

test("an ACP agent cannot have us read files, write files or open terminals", async () => {
  const deeds = ["fs/write_text_file", "fs/read_text_file", "terminal/create"].map((method) => ({
    call: { method, params: { path: "/x", content: "", command: "ls" } },
  }));
  expect((await playedTurn({ deeds })).lines("outcome")).toEqual([-32601, -32601, -32601]);
});
