import { expect, onTestFinished, test, vi } from "vitest";
import { end, piece, playedTurn, usage } from "../../../test/acp/played-turn.ts";

test("an ACP agent's reply is its last message, or all from the last one with the fence; never everything", async () => {
  const before = [piece("thinking", { messageId: "a" }), piece(" aloud", { messageId: "a" })];
  const last = await playedTurn({ deeds: [...before, piece("AUDIT PASSED", { messageId: "b" })] });
  expect(last.reply).toBe("AUDIT PASSED");
  expect(last.toolUses).toBe(0);
  const block = "```cox-5ac1\n{}\n```";
  const fenced = [...before, piece(block, { messageId: "b" }), piece("That is all.", { messageId: "c" })];
  expect((await playedTurn({ deeds: fenced })).reply).toBe(`${block}\nThat is all.`);
});

test("a tool call separates two ACP messages, even if messages have no ids", async () => {
  const call = { sessionUpdate: "tool_call_update", toolCallId: "1", title: "ls", kind: "execute" };
  const { reply, signs, toolUses } = await playedTurn({
    deeds: [piece("one"), { tell: call }, piece("two"), piece(" more")],
  });
  expect(reply).toBe("two more");
  expect(toolUses).toBe(1);
  expect(signs).toContainEqual({ kind: "action", words: "running ls" });
});

test("notices of an ACP agent's program among its model's words are left out", async () => {
  const told = [piece("[MODE_UPDATE] plan"), piece("AUDIT PASSED")];
  expect((await playedTurn({ deeds: told }, { settings: { acp: "gemini" } })).reply).toBe("AUDIT PASSED");
  const warned = [piece("Warning: no metadata\n\n"), piece("READY", { messageId: "m" }), end({ usage })];
  expect((await playedTurn({ deeds: warned }, { settings: { acp: "codex" } })).reply).toBe("READY");
  const banner = [piece("pi v0.87.1\n---\n"), piece("READY")];
  expect((await playedTurn({ deeds: banner }, { settings: { acp: "pi" } })).reply).toBe("READY");
});

test("messages of an ACP sub-session are not part of the agent's reply", async () => {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "helping" } };
  const params = { sessionId: "of-a-helper", update };
  const line = `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params })}\n`;
  expect((await playedTurn({ deeds: [{ say: "mine" }, { print: line }] })).reply).toBe("mine\n");
});

test("an ACP turn survives lines that are no messages, unexpected answers and malformed updates", async () => {
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
  const { ended, reply } = await playedTurn({ deeds });
  expect({ ended, reply }).toEqual({ ended: { kind: "replied" }, reply: "done\n" });
  expect(complaints).not.toHaveBeenCalled();
});

test("ACP updates sent before the answer are read before it, in every turn", async () => {
  const deeds = [{ ask: {} }, ...Array.from({ length: 20 }, (_, at) => piece(`${at} `, { messageId: "m" }))];
  const whole = Array.from({ length: 20 }, (_, at) => `${at} `).join("");
  for (let round = 0; round < 3; round += 1) expect((await playedTurn({ deeds })).reply).toBe(whole);
});

test("each ACP tool call is reported once, in words, with paths relative to the desk", async () => {
  const call = { toolCallId: "1", kind: "edit" };
  const tell = (more: object) => ({ tell: { sessionUpdate: "tool_call_update", ...call, ...more } });
  const { signs } = await playedTurn({
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
