/** The server as the protocol's own client sees it, over HTTP, in both eras. */
import { expect, test } from "vitest";
import { clientOf, type Era, eras, httpTransport } from "../../test/mcp/clients.ts";
import { serveHttp, token } from "../../test/mcp/http-peer.ts";
import { type TestServerOptions, testServerOptions } from "../../test/mcp/test-server-options.ts";
import type { Workflow } from "../task/workflow/workflows.ts";
import type { Tool } from "./tool.ts";
import { section } from "./tools/documents/section.ts";
import { viewDocument } from "./tools/documents/view-document.ts";
import { allow, refuse } from "./tools/files/confirmation-words.ts";
import { toolsOf } from "./tools.ts";

const files = {
  "/api/auth.md": "# Auth\n\n## Login\n\nWith a token.\n\n## Tasks\n\n### Write it\n\n- Status: pending\n",
  "/notes.md": "# Notes\n",
  "/coordinator/active.md": "# The list\n\n## Tasks\n\n### Plan it\n\n- Status: pending\n",
  "/archived/docs/old.md": "# Old\n",
};

const workflow: Workflow = {
  name: "tdd",
  kind: "workflow",
  title: "Test first",
  description: "When you write code.",
  text: "# Test first\n\nWrite the test.\n",
  source: "shipped",
};

async function connected(era: Era, options: Parameters<typeof clientOf>[1] = {}, ports?: TestServerOptions) {
  const served = ports ?? testServerOptions({ door: "mcp-http", files, workflows: [workflow] });
  const { server } = await serveHttp(served);
  const client = clientOf(era, options);
  await client.connect(httpTransport(server.url, token));
  return { client, ports: served };
}

test.for(eras)("%s: tools are listed with what a client needs to know", async (era) => {
  const { client } = await connected(era);
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === "add_up")).toMatchObject({
    title: "Add up",
    description: "Adds numbers.",
    annotations: { readOnlyHint: true, openWorldHint: false },
    inputSchema: { type: "object", additionalProperties: false, required: ["operations"] },
    outputSchema: { type: "object", properties: { sum: { type: "number" } } },
  });
});

test.for(eras)("%s: a person is asked in the middle of a call, twice", async (era) => {
  const { client } = await connected(era, { capabilities: { elicitation: { form: {} } } });
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    const answer = params.message === "Which colour?" ? "green" : "it grows";
    return { action: "accept", content: { answer } };
  });
  const result = await client.callTool({ name: "ask_me", arguments: {} });
  expect(result.structuredContent).toEqual({ colour: "green", why: "it grows" });
  expect(asked).toEqual(["Which colour?", "Why green?"]);
});

test.for(eras)(
  "%s: a person may decline a question, and an answer that was not offered counts as none",
  async (era) => {
    const { client } = await connected(era, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
    const declined = await client.callTool({ name: "ask_me", arguments: {} });
    expect(declined.structuredContent).toEqual({ colour: null, why: null });
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { answer: "blue" } }));
    const foreign = await client.callTool({ name: "ask_me", arguments: {} });
    expect(foreign.structuredContent).toEqual({ colour: null, why: null });
  },
);

test.for(eras)("%s: a tool is told if the client cannot ask a person", async (era) => {
  const { client } = await connected(era);
  const result = await client.callTool({ name: "ask_me", arguments: {} });
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: "NOBODY" } } });
});

const key = `ghp_${"a1".repeat(18)}`;
const writesKey = [
  ["complete_subagent_task", { document: "/tasks.md#one", note: `done with ${key}` }, "note"],
  [
    "subagent_task",
    { document: "/tasks.md", operations: [{ operation: "note", slug: "one", note: `see\n${key}` }] },
    "operations[0].note",
  ],
  ["create_document", { document: "/new.md", title: "New", content: key }, "content"],
  [
    "section",
    { document: "/tasks.md", operations: [{ operation: "append", slug: "api", content: key }] },
    "operations[0].content",
  ],
] as const;
const withTasks = () =>
  testServerOptions({
    door: "mcp-http",
    files: { "/tasks.md": "# Api\n\n## Tasks\n\n### One\n\nDo it.\n" },
    more: toolsOf(["tasks", "documents"]),
  });

test.for(writesKey)(
  "SECRET-01 a secret in %s is asked about as in a file, and refused where nobody can be asked",
  async ([name, given, field]) => {
    const ports = withTasks();
    const before = ports.store.texts();
    const { client } = await connected("2025-11-25", {}, ports);
    const result = await client.callTool({ name, arguments: given });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "CONTENT_SECRET", field } },
    });
    expect(JSON.stringify(result)).not.toContain(key);
    expect(ports.store.texts()).toEqual(before);
  },
);

test.for(writesKey)("a person may allow what looks like a secret in %s, or not", async ([name, given]) => {
  const ports = withTasks();
  const before = ports.store.texts();
  const { client } = await connected("2025-11-25", { capabilities: { elicitation: { form: {} } } }, ports);
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { answer: asked.length === 1 ? refuse : allow } };
  });
  expect(await client.callTool({ name, arguments: given })).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "CONFIRM_DENIED" } },
  });
  expect(ports.store.texts()).toEqual(before);
  expect((await client.callTool({ name, arguments: given })).structuredContent).not.toHaveProperty("error");
  expect(JSON.stringify(ports.store.texts())).toContain(key);
  expect(asked.join()).toContain("a GitHub token");
  expect(asked.join()).not.toContain(key);
});

test.for(eras)("%s: documents, the list, archives and runs are resources", async (era) => {
  const { client } = await connected(era);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    "cox://coordinator/active.md",
    "cox://docs/api/auth.md",
    "cox://docs/notes.md",
    "cox://archived/docs/old.md",
    "cox://runs/20260101-first/status",
    "cox://runs/20260101-first/questions",
    "cox://runs/20260101-first/log",
  ]);
  const whole = await client.readResource({ uri: "cox://docs/api/auth.md" });
  expect(whole.contents).toMatchObject([{ mimeType: "text/markdown", text: files["/api/auth.md"] }]);
  const part = await client.readResource({ uri: "cox://docs/api/auth.md#login" });
  expect(part.contents).toMatchObject([{ text: expect.stringMatching(/^## Login\n\nWith a token\.\n\n$/) }]);
  const log = await client.readResource({ uri: "cox://runs/20260101-first/log" });
  expect(log.contents).toMatchObject([{ mimeType: "text/plain", text: "log: It stands well." }]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain("cox://docs/{+path}#{slug}");
});

test.for([
  ["cox://docs/api/auht.md", "Did you mean cox://docs/api/auth.md?"],
  ["cox://docs/api/auth.md#logn", "Did you mean cox://docs/api/auth.md#login?"],
  ["cox://runs/20260101-frst/log", "Did you mean cox://runs/20260101-first/log?"],
  ["cox://runs/20260101-first/secrets", undefined],
  ["cox://docs/../../etc/passwd.md", undefined],
  ["cox://docs/%2e%2e/%2e%2e/etc/passwd.md", undefined],
  ["cox://config/config.yaml", undefined],
  ["file:///etc/passwd", undefined],
  ["cox://docs/%E0%A4%A", undefined],
] as const)("a resource %s that is not there is refused, with the nearest", async ([uri, hint]) => {
  const { client } = await connected("2025-11-25");
  const error = await client.readResource({ uri }).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: -32602, data: { code: expect.any(String), hint: expect.any(String) } });
  if (hint) expect(error.data.hint).toBe(hint);
});

test("a long list of resources comes in pages, each once", async () => {
  const many = Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`/d${at}.md`, "# D\n"]));
  const { client } = await connected("2025-11-25", {}, testServerOptions({ files: many }));
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.request({ method: "resources/list", params: { cursor } });
    seen.push(...page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  expect(new Set(seen).size).toBe(1_203);
  expect(seen).toHaveLength(1_203);
});

test.for(eras)("%s: workflows are prompts, with the words of the task", async (era) => {
  const { client } = await connected(era);
  const { prompts } = await client.listPrompts();
  expect(prompts).toMatchObject([{ name: "tdd", title: "Test first", arguments: [{ name: "task" }] }]);
  const plain = await client.getPrompt({ name: "tdd" });
  expect(plain.messages).toMatchObject([
    { role: "user", content: { text: expect.stringContaining("Write the test.") } },
  ]);
  const about = await client.getPrompt({ name: "tdd", arguments: { task: "/api/auth.md#write-it" } });
  expect(about.messages[0]?.content).toMatchObject({
    text: expect.stringMatching(/Task: \/api\/auth\.md#write-it\n\n### Write it\n\n- Status: pending\n$/),
  });
  await expect(client.getPrompt({ name: "tda" })).rejects.toMatchObject({
    data: { code: "WORKFLOW_UNKNOWN", hint: "Did you mean tdd?" },
  });
});

test.for([
  [{ type: "ref/resource", uri: "cox://docs/{+path}" }, "path", "api", ["api/auth.md"]],
  [{ type: "ref/resource", uri: "cox://docs/{+path}#{slug}" }, "path", "AUTH", ["api/auth.md"]],
  [{ type: "ref/resource", uri: "cox://docs/{+path}#{slug}" }, "slug", "l", ["login"]],
  [{ type: "ref/resource", uri: "cox://archived/{+path}" }, "path", "", ["docs/old.md"]],
  [{ type: "ref/resource", uri: "cox://runs/{run}/{view}" }, "run", "2026", ["20260101-first"]],
  [{ type: "ref/resource", uri: "cox://runs/{run}/{view}" }, "view", "q", ["questions"]],
  [{ type: "ref/prompt", name: "tdd" }, "task", "/c", ["/coordinator/active.md#plan-it"]],
  [{ type: "ref/prompt", name: "tdd" }, "task", "/api/auth.md#", ["/api/auth.md#write-it"]],
  [{ type: "ref/prompt", name: "tdd" }, "other", "", []],
] as const)("prompt and resource arguments are completed: %o %s", async ([ref, name, value, values]) => {
  const { client } = await connected("2025-11-25");
  const { completion } = await client.complete({
    ref,
    argument: { name, value },
    context: { arguments: { path: "api/auth.md" } },
  });
  expect([...completion.values].slice(0, values.length || 9)).toEqual(values);
});

test("2025-11-25: a subscriber hears of changes to its document, and every client of a new one", async () => {
  const { client, ports } = await connected("2025-11-25");
  const heard: string[] = [];
  const listed = new Promise<void>((resolve) => {
    client.setNotificationHandler("notifications/resources/list_changed", () => resolve());
  });
  const updated = new Promise<void>((resolve) => {
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      heard.push(params.uri);
      resolve();
    });
  });
  await client.subscribeResource({ uri: "cox://docs/notes.md" });
  // Repeat it: the stream for notifications is opened some time after the greeting.
  let round = 0;
  const again = setInterval(() => {
    round += 1;
    ports.store.put("/api/auth.md", `# Nobody subscribed to this, ${round}\n`);
    ports.store.put("/notes.md", `# Other notes, ${round}\n`);
    ports.store.put(`/new-${round}.md`, "# New\n");
  }, 50);
  await Promise.all([updated, listed]).finally(() => clearInterval(again));
  expect(new Set(heard)).toEqual(new Set(["cox://docs/notes.md"]));
});

test("2026-07-28: a client that listens for a document or a run hears of its changes", async () => {
  const { client, ports } = await connected("2026-07-28");
  const heard: string[] = [];
  const updated = new Promise<void>((resolve) => {
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      heard.push(params.uri);
      if (heard.length === 2) resolve();
    });
  });
  const resourceSubscriptions = ["cox://docs/notes.md", "cox://runs/20260101-first/questions"];
  const subscription = await client.listen({ resourceSubscriptions });
  ports.store.put("/api/auth.md", "# Nobody listens for this\n");
  ports.store.put("/notes.md", "# Other notes\n");
  ports.runs.put("20260101-first", "It asks.");
  await updated;
  expect(heard).toEqual(resourceSubscriptions);
  await subscription.close();
});

test.each<[Era, string | undefined]>([
  ["2025-11-25", "SECTION_CHANGED"],
  // Every request stands alone: nothing remembers what the client saw.
  ["2026-07-28", undefined],
])("%s: a connection remembers what its own client was shown, not what others were", async (era, code) => {
  const ports = testServerOptions({
    door: "mcp-http",
    files,
    more: [viewDocument, section] as unknown as Tool[],
  });
  const { client, other } = await two(era, ports);
  await client.callTool({ name: "view_document", arguments: { document: "/api/auth.md" } });
  ports.store.put("/api/auth.md", files["/api/auth.md"].replace("With a token.", "With two tokens."));
  const replace = {
    name: "section",
    arguments: { document: "/api/auth.md#login", operations: [{ operation: "replace", content: "x" }] },
  };
  const answer = await client.callTool(replace);
  expect((answer.structuredContent as { error?: { code: string } }).error?.code).toBe(code);
  expect((await other.callTool(replace)).isError).toBeUndefined();
});

async function two(era: Era, ports: TestServerOptions) {
  const { server } = await serveHttp(ports);
  const clients = [clientOf(era), clientOf(era)] as const;
  for (const each of clients) await each.connect(httpTransport(server.url, token));
  return { client: clients[0], other: clients[1] };
}
