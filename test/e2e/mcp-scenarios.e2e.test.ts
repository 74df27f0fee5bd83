/**
 * The two stories that the task tools were made for, call by call, with the protocol's own client in both eras and over
 * both transports.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { clientOf, type Era, eras } from "../mcp/clients.ts";
import {
  coordinatorNotes,
  coordinatorOperations,
  documents,
  subagentDocument,
  subagentNote,
  subagentOperations,
} from "../mcp/scenarios.ts";
import { folderWith } from "./folder.ts";
import { connect, transports } from "./mcp-server.ts";

const variants = eras.flatMap((era) => transports.map((over) => [era, over] as const));

async function begin(era: Era, over: (typeof transports)[number]) {
  const folder = folderWith(documents);
  const client = clientOf(era);
  await connect(client, over, { folder });
  return { client, folder };
}

/** The result of a call. An error would be a mistake in the test. */
async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: given });
  expect(result.isError ?? false, JSON.stringify(result.structuredContent)).toBe(false);
  const [said] = result.content;
  return {
    data: result.structuredContent as Record<string, unknown>,
    said: said?.type === "text" ? said.text : "",
  };
}

/** The code of a refusal. */
async function refusal(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { isError, structuredContent } = await client.callTool({ name, arguments: given });
  expect(isError).toBe(true);
  return (structuredContent as { error: { code: string } }).error.code;
}

const security = [
  { document: "/specs/security-requirements.md", text: expect.stringContaining("within the hour") },
];

test.for(variants)(
  "%s over %s: a coordinator's list is worked through from its first task to the archive",
  async ([era, over]) => {
    const { client, folder } = await begin(era, over);
    const active = join(folder, ".coxswain/coordinator/active.md");

    expect(existsSync(active)).toBe(false);
    const created = await call(client, "coordinator_task", { operations: coordinatorOperations });
    expect(created.data).toMatchObject({
      results: [
        { slug: "research-authentication-approaches", status: "pending" },
        { slug: "implement-chosen-auth-system", status: "pending" },
        { slug: "write-integration-tests", status: "pending" },
      ],
    });
    expect(readFileSync(active, "utf8").match(/^- Status: pending$/gm)).toHaveLength(3);

    const research = {
      task: { slug: "research-authentication-approaches", status: "in_progress" },
      main_workflow: { name: "tdd-incremental-orchestration", text: expect.stringContaining("# ") },
      workflow: { name: "multi-option-tradeoff", text: expect.stringContaining("# ") },
      references: security,
    };
    expect((await call(client, "start_coordinator_task")).data).toMatchObject(research);

    const again = await call(client, "start_coordinator_task");
    expect(again.data).toMatchObject(research);
    // A model reads the text and not the data.
    for (const words of ["Main-Workflow: tdd-incremental-orchestration", "Compare JWT vs session-based auth"])
      expect(again.said).toContain(words);

    const [decided, built, tested] = coordinatorNotes;
    const second = await call(client, "complete_coordinator_task", { note: decided });
    expect(second.data).toMatchObject({
      task: { slug: "research-authentication-approaches", status: "completed" },
      next_task: { slug: "implement-chosen-auth-system", status: "in_progress" },
      archived: false,
    });
    expect(second.data).not.toHaveProperty("main_workflow");
    expect(second.said).not.toContain("Main-Workflow");

    const third = await call(client, "complete_coordinator_task", { note: built });
    expect(third.data).toMatchObject({
      next_task: { slug: "write-integration-tests", status: "in_progress" },
      workflow: { name: "code-review-issue-based" },
      archived: false,
    });
    expect(third.data).not.toHaveProperty("main_workflow");

    const last = await call(client, "complete_coordinator_task", { note: tested });
    expect(last.data).toMatchObject({
      archived: true,
      archived_to: expect.stringMatching(/^\/archived\/coordinator\/active-\d{4}-\d\d-\d\d-\d{6}\.md$/),
      message: expect.stringContaining("All coordinator tasks complete. Session archived"),
    });
    expect(last.data).not.toHaveProperty("next_task");

    expect(existsSync(active)).toBe(false);
    const archive = readFileSync(join(folder, ".coxswain", String(last.data.archived_to)), "utf8");
    expect(archive.match(/^- Status: completed$/gm)).toHaveLength(3);
    for (const note of coordinatorNotes) expect(archive).toContain(note);
    expect(await refusal(client, "start_coordinator_task")).toBe("NO_COORDINATOR_TASKS");
    const { data } = await call(client, "coordinator_task", {
      operations: coordinatorOperations.slice(0, 1),
    });
    expect(data).toMatchObject({ results: [{ slug: "research-authentication-approaches" }] });
  },
);

test.for(variants)("%s over %s: tasks of a document can be taken in any order", async ([era, over]) => {
  const { client } = await begin(era, over);
  const taskOf = (slug: string) => ({ document: `${subagentDocument}#${slug}` });

  const created = await call(client, "subagent_task", {
    document: subagentDocument,
    operations: subagentOperations,
  });
  expect(created.data).toMatchObject({
    results: [
      { slug: "implement-jwt-signing", status: "pending" },
      { slug: "add-token-validation", status: "pending" },
      { slug: "handle-token-refresh", status: "pending" },
    ],
  });

  const started = await call(client, "start_subagent_task", taskOf("implement-jwt-signing"));
  expect(started.data).toMatchObject({
    task: { slug: "implement-jwt-signing", status: "in_progress" },
    workflow: { name: "tdd-incremental-orchestration" },
    references: [{ document: "/specs/jwt-spec.md", text: expect.stringContaining("RS256") }],
  });
  expect(started.data).not.toHaveProperty("main_workflow");

  const given = { ...taskOf("implement-jwt-signing"), note: subagentNote };
  const completed = await call(client, "complete_subagent_task", given);
  expect(completed.data).toMatchObject({
    task: { slug: "implement-jwt-signing", status: "completed" },
    message: expect.stringContaining("is completed"),
  });
  expect(completed.data).not.toHaveProperty("next_task");

  const viewed = await call(client, "view_document", { document: subagentDocument });
  expect(viewed.data).toMatchObject({
    tasks: [
      { slug: "implement-jwt-signing", status: "completed" },
      { slug: "add-token-validation", status: "pending" },
      { slug: "handle-token-refresh", status: "pending" },
    ],
    text: expect.stringContaining(subagentNote),
  });

  const other = await call(client, "start_subagent_task", taskOf("handle-token-refresh"));
  expect(other.data).toMatchObject({ task: { slug: "handle-token-refresh", status: "in_progress" } });

  expect(await refusal(client, "start_subagent_task", { document: subagentDocument })).toBe(
    "TASK_NEEDS_SLUG",
  );
});
