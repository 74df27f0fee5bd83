import { expect, test } from "vitest";
import { DocumentMemory, MemoryStore } from "../../test/doubles/memory-store.ts";
import type { DocumentPath } from "../document/address.ts";
import { SeenDocuments } from "../document/seen-documents.ts";
import type { Workflows } from "../task/workflow/workflows.ts";
import { argumentProblems } from "./argument-problems.ts";
import type { ToolContext } from "./tool.ts";
import { listedTool } from "./tool-listing.ts";
import { toolsOf } from "./tools.ts";

const taskTools = toolsOf(["tasks"]);

const workflows: Workflows = {
  list: () => [],
  find: (kind, name) => ({
    workflow: { name, kind, title: name, description: "", text: `How to ${name}.\n`, source: "shipped" },
  }),
};

function context(files: Readonly<Record<string, string>> = {}): ToolContext {
  const memory = new DocumentMemory();
  for (const [path, text] of Object.entries(files)) memory.put(path as DocumentPath, text);
  return {
    seen: new SeenDocuments(),
    store: new MemoryStore({ now: () => Date.UTC(2025, 9, 14, 15, 30, 45) }, memory),
    workflows,
    verify: { isTrusted: () => false, run: () => Promise.reject(new Error("nothing is run")) },
    author: { name: "claude-code 2", door: "mcp-stdio" },
    root: "/nowhere",
    signal: new AbortController().signal,
  } as Partial<ToolContext> as ToolContext;
}

/**
 * Calls a tool as the server does: the schema parses the arguments, and the answer fits the schema that clients see.
 */
async function call(name: string, given: object, where: ToolContext) {
  const tool = taskTools.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  const answer = await tool.call(tool.input.parse(given), where);
  if ("problems" in answer) return { code: answer.problems[0]?.code, message: answer.problems[0]?.message };
  tool.output.parse(answer.data);
  return { ...(answer.data as Record<string, unknown>), said: answer.text };
}

test("answers of the task tools have the agreed keys, and their text has everything for a model", async () => {
  const where = context({ "/spec.md": "# Spec\n\nBe safe.\n" });
  const operations = [
    {
      operation: "create",
      title: "One",
      content: "- Main-Workflow: m\n- Workflow: w\n\nRead @/spec.md and @/gone.md",
    },
    { operation: "create", title: "Two" },
  ];
  expect(await call("coordinator_task", { operations }, where)).toMatchObject({
    results: [{ slug: "one", status: "pending" }, { slug: "two" }],
    message: "/coordinator/active.md: created 2 tasks.",
  });
  const started = await call("start_coordinator_task", {}, where);
  expect(started).toMatchObject({
    task: { slug: "one", status: "in_progress", document: "/coordinator/active.md#one" },
    main_workflow: { name: "m" },
    workflow: { name: "w" },
    references: [
      { document: "/spec.md", text: "# Spec\n\nBe safe." },
      { document: "@/gone.md", missing: expect.any(String) },
    ],
  });
  for (const words of ["How to m.", "How to w.", "Be safe.", "@/gone.md"])
    expect(started).toMatchObject({ said: expect.stringContaining(words) });
  const next = await call("complete_coordinator_task", { note: "done" }, where);
  expect(next).toMatchObject({
    verified: false,
    archived: false,
    next_task: { slug: "two", status: "in_progress" },
  });
  expect(next).not.toHaveProperty("main_workflow");
  expect(await call("view_task", {}, where)).toMatchObject({ task: { slug: "two" } });
  expect(await call("complete_coordinator_task", { note: "done", task: "two" }, where)).toMatchObject({
    archived: true,
    archived_to: "/archived/coordinator/active-2025-10-14-153045.md",
    message: expect.stringContaining("All coordinator tasks complete. Session archived"),
  });
  expect(await call("complete_coordinator_task", { note: "x" }, where)).toMatchObject({
    code: "NO_COORDINATOR_TASKS",
  });
});

test("a subagent's task has no Main-Workflow and no next task", async () => {
  const where = context({ "/a.md": "# A\n" });
  const operations = [{ operation: "create", title: "One", content: "- Workflow: w" }, { operation: "list" }];
  expect(await call("subagent_task", { document: "/a.md", operations }, where)).toMatchObject({
    tasks: [{ slug: "one", status: "pending" }],
    counts: { pending: 1 },
  });
  const started = await call("start_subagent_task", { document: "/docs/a.md#one" }, where);
  expect(started).toMatchObject({ task: { slug: "one" }, workflow: { name: "w" }, references: [] });
  expect(started).not.toHaveProperty("main_workflow");
  const done = await call("complete_subagent_task", { document: "/a.md#one", note: "n" }, where);
  expect(done).toMatchObject({ verified: false, message: expect.stringContaining("as a claim") });
  expect(done).not.toHaveProperty("next_task");
});

test.each([
  ["start_coordinator_task", { document: "/coordinator/active.md#one" }, "COORDINATOR_SEQUENTIAL"],
  ["complete_coordinator_task", { note: "n", document: "/a.md" }, "COORDINATOR_SEQUENTIAL"],
  ["start_subagent_task", { document: "/a.md" }, "TASK_NEEDS_SLUG"],
  ["complete_subagent_task", { document: "/coordinator/active.md#one", note: "n" }, "COORDINATOR_DOCUMENT"],
  ["complete_subagent_task", { document: "/a.md#one", note: " " }, "NOTE_EMPTY"],
  ["view_task", { document: "/a.md" }, "TASK_NEEDS_SLUG"],
  ["view_task", { document: "/a.md#nobody" }, "TASK_NOT_FOUND"],
  ["subagent_task", { document: "/gone.md", operations: [{ operation: "list" }] }, "DOC_NOT_FOUND"],
])("the tool %s with %j fails with %s", async (name, given, code) => {
  expect(await call(name, given, context({ "/a.md": "# A\n\n## Tasks\n\n### One\n" }))).toMatchObject({
    code,
  });
});

test("task lists show what is verified and what is claimed, duplicates, and that a list is empty", async () => {
  const stamp = "2025-10-14T15:30:45Z by claude-code 2";
  const where = context({
    "/a.md": `# A\n\n## Tasks\n\n### One\n- Status: completed\n- Completed: ${stamp} (verified)\n\n### Two\n- Status: completed\n- Completed: ${stamp}\n\n### Same\n\n### Same\n`,
  });
  const operations = [{ operation: "list" }];
  const answer = await call("subagent_task", { document: "/a.md", operations }, where);
  const said = "said" in answer ? answer.said : "";
  expect(said.split("\n").slice(1)).toEqual([
    "[x] #one One (claude-code 2, verified)",
    "[x] #two Two (claude-code 2, claimed)",
    "[ ] #same Same (one of 2 tasks of this slug)",
    "[ ] #same Same (one of 2 tasks of this slug)",
  ]);
  expect(await call("coordinator_task", { operations }, where)).toMatchObject({
    said: expect.stringContaining(
      "The list is empty. To begin one, call coordinator_task with operation create",
    ),
  });
});

test.each([
  ["delete", '"operation": "remove"'],
  ["insert_before", '"operation": "insert_before"'],
  ["complete", "complete_subagent_task"],
])("an attempt at the operation %s is refused with the tool to call", (operation, words) => {
  const tool = taskTools.find(({ name }) => name === "subagent_task");
  const given = { document: "/a.md", operations: [{ operation, slug: "one" }] };
  const read = tool?.input.safeParse(given);
  if (!tool || !read || read.success) throw new Error("it is no operation");
  const schema = listedTool(tool).inputSchema;
  const told = argumentProblems(read.error, { tool: tool.name, given, schema, instead: tool.instead });
  expect(told).toMatchObject([{ code: "SCHEMA_ENUM", hint: expect.stringContaining(words) }]);
});

test("the descriptions of all task tools take less than six thousand bytes", () => {
  const told = taskTools.map((tool) => JSON.stringify(listedTool(tool))).join(",");
  expect(Buffer.byteLength(told)).toBeLessThan(6_000);
});

test("a missing reference of a task is reported with what was probably meant, a long one with how to read on", async () => {
  const where = context({
    "/a.md": "# A\n\n## Tasks\n\n### One\n\nSee @/lnog.md and @/long.md\n",
    "/long.md": `# Long\n\n${"a line of text\n".repeat(4000)}`,
  });
  const started = await call("start_subagent_task", { document: "/a.md#one" }, where);
  expect(JSON.stringify(started)).toContain("perhaps /long.md was meant");
  expect(JSON.stringify(started)).toMatch(/continues: view_document \/long\.md, from \d+/);
});

test.each(["start_coordinator_task", "complete_coordinator_task"])(
  "the tool %s has no document argument, and refuses one with what to call instead",
  async (name) => {
    const tool = taskTools.find((one) => one.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    expect(Object.keys(listedTool(tool).inputSchema.properties ?? {})).not.toContain("document");
    const refused = await call(
      name,
      { document: "/a.md#b", ...(name.startsWith("complete") && { note: "x" }) },
      context(),
    );
    expect(refused).toMatchObject({ code: "COORDINATOR_SEQUENTIAL" });
  },
);
