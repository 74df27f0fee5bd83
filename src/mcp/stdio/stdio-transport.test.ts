import { expect, test } from "vitest";
import { StdioPeer } from "../../../test/mcp/stdio-peer.ts";
import { testServerOptions } from "../../../test/mcp/test-server-options.ts";

const call = (id: number, name: string, given?: unknown) => ({
  id,
  method: "tools/call",
  params: { name, ...(given !== undefined && { arguments: given }) },
});

test("a client of 2025 greets, calls, and is known by its name", async () => {
  const peer = new StdioPeer(testServerOptions());
  const greeting = await peer.greet();
  expect(greeting.result).toMatchObject({
    protocolVersion: "2025-11-25",
    serverInfo: { name: "coxswain", version: "1.2.3" },
    instructions: expect.stringContaining("start_coordinator_task"),
  });
  peer.send(call(2, "who_am_i"));
  expect((await peer.answerTo(2)).result).toMatchObject({
    structuredContent: { name: "peer 7", door: "mcp-stdio", can_ask: false },
    content: [{ type: "text", text: "peer 7" }],
  });
});

test("a client of 2026-07-28 says with each request who it is", async () => {
  const peer = new StdioPeer(testServerOptions());
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "modern", version: "8" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  };
  peer.send({ id: 1, method: "tools/call", params: { name: "who_am_i", arguments: {}, _meta } });
  expect((await peer.answerTo(1)).result).toMatchObject({
    structuredContent: { name: "modern 8", door: "mcp-stdio", can_ask: true },
  });
});

test.for([
  ["MCP-16 id null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', "MCP_BAD_ID"],
  ["MCP-16 id {}", '{"jsonrpc":"2.0","id":{},"method":"ping"}', "MCP_BAD_ID"],
  ["MCP-16 id 1.5", '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', "MCP_BAD_ID"],
  ["MCP-15 arguments null", JSON.stringify({ jsonrpc: "2.0", ...call(5, "add_up", null) }), "SCHEMA_TYPE"],
  ["MCP-15 arguments []", JSON.stringify({ jsonrpc: "2.0", ...call(5, "add_up", []) }), "SCHEMA_TYPE"],
  ["MCP-15 arguments a text", JSON.stringify({ jsonrpc: "2.0", ...call(5, "add_up", "x") }), "SCHEMA_TYPE"],
  [
    "MCP-12 100,000 levels",
    `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"add_up","arguments":{"label":${"[".repeat(1e5)}${"]".repeat(1e5)}}}}`,
    "JSON_TOO_DEEP",
  ],
  ["equal keys", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', "JSON_DUPLICATE_KEY"],
  ["no JSON", "hello", "JSON_SYNTAX"],
  ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', "MCP_BAD_REQUEST"],
  ["another version of JSON-RPC", '{"jsonrpc":"1.0","id":1,"method":"ping"}', "MCP_BAD_REQUEST"],
  ["neither question nor answer", '{"jsonrpc":"2.0","id":1}', "MCP_BAD_REQUEST"],
] as const)("over stdio, %s is refused, and the session continues", async ([, line, code]) => {
  const peer = new StdioPeer(testServerOptions());
  await peer.greet();
  peer.write(`${line}\n`);
  const refusal = await peer.hear(({ error }) => error !== undefined);
  expect(refusal.error).toMatchObject({
    message: expect.any(String),
    data: { code, hint: expect.any(String) },
  });
  peer.send({ id: 9, method: "ping" });
  expect((await peer.answerTo(9)).result).toEqual({});
});

test("MCP-16 an id that is used again before its request is answered is refused without that id", async () => {
  const peer = new StdioPeer(testServerOptions());
  await peer.greet();
  peer.send(call(2, "slow", { ms: 50 }), call(2, "who_am_i"));
  const refusal = await peer.hear(({ error }) => error !== undefined);
  expect(refusal).toMatchObject({ error: { data: { code: "MCP_BAD_ID" } } });
  expect(refusal.id).toBeUndefined();
  expect((await peer.answerTo(2)).result).toMatchObject({ structuredContent: { cancelled: false } });
  peer.send(call(2, "who_am_i"));
  await peer.hear(({ result }) => (result?.structuredContent as { name?: string })?.name === "peer 7");
});

test("MCP-17 a call before the handshake is refused, and a handshake still works", async () => {
  const peer = new StdioPeer(testServerOptions());
  peer.send(call(5, "who_am_i"));
  expect((await peer.answerTo(5)).error?.data).toMatchObject({
    code: "MCP_STATE",
    hint: expect.stringContaining("initialize"),
  });
  await peer.greet();
  peer.send(call(6, "who_am_i"));
  expect((await peer.answerTo(6)).result).toBeDefined();
});

test("MCP-17 over stdio, an unknown protocol version is refused with the known ones", async () => {
  const peer = new StdioPeer(testServerOptions());
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2099-01-01",
    "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  peer.send({ id: 1, method: "tools/list", params: { _meta } });
  const { error } = await peer.answerTo(1);
  expect(error?.data).toMatchObject({ code: "MCP_STATE", supported: ["2026-07-28"] });
});

test("MCP-21 a line of 11 MB is refused once, and what follows it is read", async () => {
  const peer = new StdioPeer(testServerOptions());
  await peer.greet();
  for (let piece = 0; piece < 11; piece += 1) peer.write("x".repeat(1 << 20));
  const refusal = await peer.hear(({ error }) => error !== undefined);
  expect(refusal.error?.data?.code).toBe("LIMIT_LINE");
  peer.write("\n");
  peer.send({ id: 9, method: "ping" });
  expect((await peer.answerTo(9)).result).toEqual({});
  expect(peer.heard.filter(({ error }) => error)).toHaveLength(1);
});

test("requests from before the end of the input are answered, and then the server ends", async () => {
  const peer = new StdioPeer(testServerOptions());
  await peer.greet();
  peer.send(call(2, "slow", { ms: 50 }));
  peer.input.end();
  await peer.served;
  expect((await peer.answerTo(2)).result).toMatchObject({ structuredContent: { cancelled: false } });
});

test("a cancelled tool call is aborted, and not answered", async () => {
  const peer = new StdioPeer(testServerOptions());
  await peer.greet();
  peer.send(call(2, "slow", { ms: 60_000 }));
  peer.send({ method: "notifications/cancelled", params: { requestId: 2 } });
  peer.input.end();
  await peer.served;
  expect(peer.heard.some(({ id }) => id === 2)).toBe(false);
});

test("a failed tool call gives its reason in the answer, and in one line of the log", async () => {
  const ports = testServerOptions();
  const peer = new StdioPeer(ports);
  await peer.greet();
  peer.send(call(2, "failing"));
  expect((await peer.answerTo(2)).result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("the disk is full of eels") }],
    structuredContent: { error: { code: "BUG" }, errors: [{ code: "BUG" }] },
  });
  expect(ports.said).toEqual(["cox mcp: failing of peer 7 failed: BUG: the disk is full of eels\n"]);
});

test("an unknown tool is answered with the nearest one", async () => {
  const peer = new StdioPeer(testServerOptions());
  await peer.greet();
  peer.send(call(2, "ad_up"));
  expect((await peer.answerTo(2)).error).toMatchObject({
    code: -32602,
    data: { code: "MCP_UNKNOWN_TOOL", hint: "Call add_up." },
  });
});

test("MCP-29 a hundred thousand progress notifications are accepted with hardly a log line", async () => {
  const ports = testServerOptions();
  const peer = new StdioPeer(ports);
  await peer.greet();
  const line = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } })}\n`;
  for (let batch = 0; batch < 100; batch += 1) peer.write(line.repeat(1_000));
  peer.send({ id: 9, method: "ping" });
  expect((await peer.answerTo(9)).result).toEqual({});
  expect(ports.said.length).toBeLessThan(50);
});
