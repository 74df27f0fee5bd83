import { expect, test } from "vitest";
import {
  greet,
  greeting,
  modern,
  open,
  otherToken,
  post,
  serveHttp,
  token,
} from "../../../test/mcp/http-peer.ts";
import { Shelf } from "../../../test/mcp/shelf.ts";
import { testServerOptions } from "../../../test/mcp/test-server-options.ts";
import type { Workflows } from "../../task/workflow/workflows.ts";
import { toolsOf } from "../tools.ts";

const ports = () => testServerOptions({ door: "mcp-http", files: { "/a.md": "# A\n" } });
const call = (name: string, given: unknown = {}) => ({
  id: 2,
  method: "tools/call",
  params: { name, arguments: given },
});

test("a client of 2025 gets a session of 128 random bits, and is known by its name", async () => {
  const { port } = await serveHttp(ports());
  const session = await greet(port);
  expect(session).toMatch(/^[0-9a-f]{32}$/);
  const answer = await post(port, { body: call("who_am_i"), headers: { "mcp-session-id": session } });
  expect(answer.message.result).toMatchObject({
    structuredContent: { name: "peer 7", door: "mcp-http", can_ask: false },
  });
  const ended = await post(port, { method: "DELETE", headers: { "mcp-session-id": session } });
  expect(ended.status).toBe(200);
  const after = await post(port, { body: call("who_am_i"), headers: { "mcp-session-id": session } });
  expect(after).toMatchObject({ status: 404, message: { error: { data: { code: "MCP_SESSION" } } } });
});

test("a client of 2026-07-28 needs no session", async () => {
  const { port } = await serveHttp(ports());
  const answer = await post(port, modern("tools/call", { name: "who_am_i", arguments: {} }));
  expect(answer).toMatchObject({
    status: 200,
    message: { result: { structuredContent: { name: "modern 8", door: "mcp-http" } } },
  });
  expect(answer.headers["mcp-session-id"]).toBeUndefined();
});

test("an HTTP session remembers its own given task only; a request without a session remembers nothing", async () => {
  const task = (title: string) => ({ operation: "create", title, content: "- Main-Workflow: m" });
  const shelf = new Shelf();
  const { store, verify } = shelf.room();
  const base = { ...ports().base, store, verify, workflows: anyWorkflow };
  const { port } = await serveHttp({ ...ports(), base, tools: toolsOf(["tasks"]) });
  const [a, b] = [await greet(port), await greet(port)];
  const said = async (session: string, name: string, given: object) => {
    const answer = await post(port, { body: call(name, given), headers: { "mcp-session-id": session } });
    const { structuredContent } = answer.message.result as { structuredContent: Record<string, unknown> };
    return structuredContent;
  };
  await said(a, "coordinator_task", { operations: ["One", "Two", "Three"].map(task) });
  expect(await said(a, "start_coordinator_task", {})).not.toHaveProperty("resumed");
  expect(await said(b, "start_coordinator_task", {})).toMatchObject({ resumed: true });
  expect(await said(b, "complete_coordinator_task", { note: "b" })).toMatchObject({
    next_task: { slug: "two" },
  });
  expect(await said(a, "complete_coordinator_task", { note: "a" })).toMatchObject({
    error: { code: "TASK_NOT_GIVEN" },
  });
  const alone = await post(
    port,
    modern("tools/call", { name: "start_coordinator_task", arguments: { take_over: true } }),
  );
  expect(alone.message.result).toMatchObject({ structuredContent: { task: { slug: "two" } } });
  for (const slug of ["two", "three"]) {
    const args = { name: "complete_coordinator_task", arguments: { note: "alone" } };
    const done = await post(port, modern("tools/call", args));
    expect(done.message.result).toMatchObject({ structuredContent: { task: { slug } } });
  }
});

const anyWorkflow: Workflows = {
  list: () => [],
  find: (kind, name) => ({
    workflow: { name, kind, title: name, description: "", text: "How.\n", source: "shipped" },
  }),
};

const refusals: readonly (readonly [
  title: string,
  sent: Parameters<typeof post>[1],
  status: number,
  code: string,
])[] = [
  ["MCP-02 the Origin of another site", { headers: { origin: "https://evil.example" } }, 403, "HTTP_ORIGIN"],
  ["MCP-02 the Origin null", { headers: { origin: "null" } }, 403, "HTTP_ORIGIN"],
  [
    "MCP-02 an Origin that begins like ours",
    { headers: { origin: "http://localhost.evil.example" } },
    403,
    "HTTP_ORIGIN",
  ],
  [
    "MCP-02 a page of another site without Origin",
    { headers: { "sec-fetch-site": "cross-site" } },
    403,
    "HTTP_ORIGIN",
  ],
  ["MCP-04 a Host that begins like ours", { headers: { host: "127.0.0.1.evil.example" } }, 403, "HTTP_HOST"],
  [
    "MCP-04 a Host that begins like ours, by name",
    { headers: { host: "localhost.evil.example" } },
    403,
    "HTTP_HOST",
  ],
  ["MCP-04 our Host with another port", { headers: { host: "127.0.0.1:1" } }, 403, "HTTP_HOST"],
  ["MCP-06 no token", { headers: { authorization: undefined } }, 401, "HTTP_AUTH"],
  [
    "MCP-06 a wrong token",
    { headers: { authorization: `Bearer ${token.replace("a", "b")}` } },
    401,
    "HTTP_AUTH",
  ],
  ["MCP-06 a token of another length", { headers: { authorization: "Bearer x" } }, 401, "HTTP_AUTH"],
  ["MCP-06 an empty token", { headers: { authorization: "Bearer " } }, 401, "HTTP_AUTH"],
  ["MCP-06 the token as a password", { headers: { authorization: `Basic ${token}` } }, 401, "HTTP_AUTH"],
  ["MCP-08 a form", { headers: { "content-type": "application/x-www-form-urlencoded" } }, 415, "HTTP_TYPE"],
  [
    "MCP-08 a form with files",
    { headers: { "content-type": "multipart/form-data; boundary=x" } },
    415,
    "HTTP_TYPE",
  ],
  ["MCP-08 plain text", { headers: { "content-type": "text/plain" } }, 415, "HTTP_TYPE"],
  ["MCP-08 no type", { headers: { "content-type": undefined } }, 415, "HTTP_TYPE"],
  ["MCP-09 a body of 8 MB", { body: `"${"x".repeat(8e6)}"` }, 413, "LIMIT_BODY"],
  [
    "MCP-11 a batch of 10,000",
    { body: JSON.stringify(Array(10_000).fill({ jsonrpc: "2.0", id: 1, method: "ping" })) },
    400,
    "LIMIT_BATCH",
  ],
  ["MCP-12 100,000 levels", { body: `${"[".repeat(1e5)}${"]".repeat(1e5)}` }, 400, "JSON_TOO_DEEP"],
  [
    "MCP-15 arguments null",
    { body: { id: 1, method: "tools/call", params: { name: "add_up", arguments: null } } },
    400,
    "SCHEMA_TYPE",
  ],
  [
    "MCP-15 arguments []",
    { body: { id: 1, method: "tools/call", params: { name: "add_up", arguments: [] } } },
    400,
    "SCHEMA_TYPE",
  ],
  [
    "MCP-15 arguments a text",
    { body: { id: 1, method: "tools/call", params: { name: "add_up", arguments: "x" } } },
    400,
    "SCHEMA_TYPE",
  ],
  ["MCP-16 id null", { body: { id: null, method: "ping" } }, 400, "MCP_BAD_ID"],
  ["MCP-16 id {}", { body: { id: {}, method: "ping" } }, 400, "MCP_BAD_ID"],
  ["MCP-17 a call before initialize", { body: call("who_am_i") }, 400, "MCP_STATE"],
  ["MCP-17 listening before initialize", { method: "GET" }, 400, "MCP_STATE"],
  [
    "MCP-18 a session that was guessed",
    { body: call("who_am_i"), headers: { "mcp-session-id": "1" } },
    404,
    "MCP_SESSION",
  ],
  [
    "MCP-18 a session of 8,000 characters",
    { body: call("who_am_i"), headers: { "mcp-session-id": "x".repeat(8_000) } },
    404,
    "MCP_SESSION",
  ],
  [
    "MCP-18 a session of 1 MB",
    { body: call("who_am_i"), headers: { "mcp-session-id": "x".repeat(1e6) } },
    431,
    "LIMIT_HEADERS",
  ],
  ["another path", { path: "/", body: greeting }, 404, "HTTP_PATH"],
  ["another method", { method: "PUT", body: greeting }, 405, "HTTP_METHOD"],
  ["a question of a browser whether it may", { method: "OPTIONS" }, 405, "HTTP_METHOD"],
  ["an empty body", { body: "" }, 400, "JSON_SYNTAX"],
  ["a body that is no JSON", { body: "{" }, 400, "JSON_SYNTAX"],
  ["an empty batch", { body: "[]" }, 400, "MCP_BAD_REQUEST"],
];

test.for(refusals)("over HTTP, %s is refused", async ([, sent, status, code]) => {
  const { port } = await serveHttp(ports());
  const answer = await post(port, sent).catch((error) => error);
  expect(answer).toMatchObject({
    status,
    message: {
      jsonrpc: "2.0",
      error: { message: expect.any(String), data: { code, hint: expect.any(String) } },
    },
  });
  expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  expect(answer.text).not.toMatch(/\n {4}at /);
});

test.for(["LOCALHOST", "127.0.0.1", "[::1]"])("MCP-05 the Host %s with our port is served", async (name) => {
  const { port } = await serveHttp(ports());
  const host = `${name}:${port}`;
  const answer = await post(port, { body: greeting, headers: { host, origin: `http://${host}` } });
  expect(answer.status).toBe(200);
});

test("MCP-14 unknown keys are refused with the nearest one, in both eras", async () => {
  const { port } = await serveHttp(ports());
  const session = await greet(port);
  const given = { operatons: [] };
  const old = await post(port, { body: call("add_up", given), headers: { "mcp-session-id": session } });
  const now = await post(port, modern("tools/call", { name: "add_up", arguments: given }));
  for (const { message } of [old, now]) {
    expect(message.result).toMatchObject({
      isError: true,
      structuredContent: {
        errors: [
          { code: "SCHEMA_REQUIRED", field: "operations" },
          { code: "SCHEMA_UNKNOWN_KEY", hint: expect.stringContaining("Did you mean operations?") },
        ],
      },
    });
  }
});

test("MCP-16 an id that is used again before its request is answered is refused", async () => {
  const { port } = await serveHttp(ports());
  const headers = { "mcp-session-id": await greet(port) };
  const first = open(port, { body: call("slow", { ms: 60_000 }), headers });
  const stream = await first;
  const again = await post(port, { body: call("who_am_i"), headers });
  expect(again).toMatchObject({ status: 400, message: { error: { data: { code: "MCP_BAD_ID" } } } });
  stream.destroy();
});

test("MCP-17 over HTTP, an unknown protocol version is refused with the known ones", async () => {
  const { port } = await serveHttp(ports());
  const headers = { "mcp-session-id": await greet(port), "mcp-protocol-version": "1999-01-01" };
  const old = await post(port, { body: call("who_am_i"), headers });
  expect(old).toMatchObject({ status: 400, message: { error: { data: { code: "MCP_STATE" } } } });
  expect(old.text).toContain("2025-11-25");
});

test("MCP-18 a session is worth nothing with another token", async () => {
  const { port } = await serveHttp(ports());
  const headers = { "mcp-session-id": await greet(port), authorization: `Bearer ${otherToken}` };
  const answer = await post(port, { body: call("who_am_i"), headers });
  expect(answer).toMatchObject({ status: 404, message: { error: { data: { code: "MCP_SESSION" } } } });
});

test("MCP-19 of 300 streams 32 are served and the others refused; when one ends, another may come", async () => {
  const { port } = await serveHttp(ports());
  const listen = modern("subscriptions/listen", { notifications: { resourcesListChanged: true } });
  const streams = await Promise.all(Array.from({ length: 300 }, () => open(port, listen)));
  const served = streams.filter(({ statusCode }) => statusCode === 200);
  expect(served).toHaveLength(32);
  expect(streams.filter(({ statusCode }) => statusCode === 503)).toHaveLength(268);
  const refused = await post(port, listen);
  expect(refused).toMatchObject({ status: 503, message: { error: { data: { code: "LIMIT_STREAMS" } } } });
  // Calls do not count as streams.
  expect((await post(port, modern("tools/list"))).status).toBe(200);
  served[0]?.destroy();
  for (let status = 503; status !== 200; ) {
    const next = await open(port, listen);
    status = next.statusCode ?? 0;
    next.destroy();
  }
  for (const stream of streams) stream.destroy();
});
