/** A real run and an agent's client beside it: the agent may look and ask, but only a person decides. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { clientOf, eras } from "../mcp/clients.ts";
import type { Step } from "./agent-program.ts";
import { Crew, held, work } from "./crew.ts";
import { connect, transports } from "./mcp-server.ts";

const variants = eras.flatMap((era) => transports.map((over) => [era, over] as const));
const forms = { capabilities: { elicitation: { form: {} } } };

const asks: Step[] = [{ say: "SEEKING DIVINE CLARIFICATION: which port?\nOptions:\n- 8080\n- 9090" }];
const deletes: Step[] = [{ delete: "old.txt" }, { say: "READY FOR AUDIT: one" }];

/** The second task lets the run continue while a person thinks. */
const tasks = "- [ ] one\n- [ ] two";
const two = [[held("decided"), ...work("two.txt")]];

function asking(): Crew {
  return new Crew({ tasks, script: { one: [asks, work("one.txt")], two }, config: ['verify: "true"'] });
}

function deleting(): Crew {
  return new Crew({
    tasks,
    // When the delete is denied, it restores the file.
    script: { one: [deletes, [{ write: { path: "old.txt", content: "old\n" } }, ...work("one.txt")]], two },
    config: ['verify: "true"', "confirm-deletes: ask"],
    files: { "old.txt": "old\n" },
  });
}

/** Runs it until it waits for a person. */
async function waiting(crew: Crew): Promise<Crew> {
  crew.release("decided");
  const ended = await crew.cox("run", "plan.md", "--yes");
  expect(ended.exitCode, ended.stderr).toBe(3);
  return crew;
}

interface ClientOptions {
  readonly era?: (typeof eras)[number];
  readonly over?: (typeof transports)[number];
  /** The person's answer to each question; `undefined` declines. Without the list, nobody can be asked. */
  readonly says?: readonly (string | undefined)[];
  /** What happens before they answer. */
  thinks?(): Promise<unknown>;
  readonly env?: Readonly<Record<string, string>>;
}

async function clientAt(
  crew: Crew,
  { era = "2026-07-28", over = "stdio", says, thinks, env }: ClientOptions = {},
) {
  const client = clientOf(era, says ? forms : {});
  const shown: string[] = [];
  if (says)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const answer = says[shown.length];
      shown.push(params.message);
      await thinks?.();
      return answer === undefined ? { action: "decline" } : { action: "accept", content: { answer } };
    });
  await connect(client, over, {
    folder: crew.root,
    args: ["--tools", "run"],
    env: { ...crew.env, ...env },
  });
  return { client, shown };
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { isError = false, structuredContent } = await client.callTool({ name, arguments: given });
  const data = structuredContent as Record<string, unknown> & { error?: { code: string; hint: string } };
  return { isError, ...data };
}

test.for(variants)(
  "%s over %s: a person answers through the client, and the run continues with the answer",
  async ([era, over]) => {
    const crew = asking();
    const running = crew.start("run", "plan.md", "--yes");
    await crew.recorded("agent_seeks_guidance");
    // They take their time while the run continues, and still answer the same question.
    const { client, shown } = await clientAt(crew, { era, over, says: ["9090"], thinks: () => sleep(1_200) });
    expect(await call(client, "run_status")).toMatchObject({
      run: crew.run,
      alive: true,
      questions: [
        { question: "q1", text: expect.stringContaining("which port?"), options: ["8080", "9090"] },
      ],
    });
    expect(await call(client, "answer_question", { question: "q1" })).toEqual({
      isError: false,
      question: "q1",
      recorded: true,
      decision: "answer",
      message: expect.stringContaining("The run continues with it."),
    });
    expect(shown).toEqual([expect.stringMatching(/q1, about the task one[\s\S]*which port\?/)]);
    expect(crew.eventsOf("divine_response_received")).toMatchObject([
      { question: "q1", answer: "9090", by: { door: "elicitation" } },
    ]);
    crew.release("decided");
    const ended = await running.ended;
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(crew.committedTasks().sort()).toEqual(["one", "two"]);
  },
);

test("a person can answer a question through the client in words of their own", async () => {
  const crew = await waiting(asking());
  const { client, shown } = await clientAt(crew, { says: ["something else", "  the one in config.json "] });
  expect(await call(client, "answer_question", { question: "q1", run: crew.run })).toMatchObject({
    recorded: true,
    message: expect.stringContaining("cox resume"),
  });
  expect(shown).toHaveLength(2);
  expect(crew.eventsOf("divine_response_received")).toMatchObject([{ answer: "the one in config.json" }]);
});

test.for([
  ["2025-11-25", "stdio", "allow"],
  ["2025-11-25", "http", "do not allow"],
  ["2026-07-28", "stdio", "do not allow"],
  ["2026-07-28", "http", "allow"],
] as const)("%s over %s: a delete is decided through the client: %s", async ([era, over, says]) => {
  const crew = deleting();
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("confirmation_requested");
  const { client, shown } = await clientAt(crew, { era, over, says: [says] });
  const isAllowed = says === "allow";
  expect(await call(client, "confirm_operation", { question: "q1" })).toMatchObject({
    recorded: true,
    decision: isAllowed ? "confirm" : "deny",
  });
  expect(shown).toEqual([expect.stringContaining("old.txt")]);
  const event = isAllowed ? "confirmation_given" : "confirmation_denied";
  expect(crew.eventsOf(event)).toMatchObject([{ question: "q1", by: { door: "elicitation" } }]);
  crew.release("decided");
  const ended = await running.ended;
  expect(ended.exitCode, ended.stderr).toBe(0);
  const left = crew.git("ls-tree", "-r", "--name-only", crew.branch);
  expect(left.includes("old.txt")).toBe(!isAllowed);
});

test.for(eras)(
  "%s: when the client cannot ask, the agent gets the command that the person must type, and it works",
  async (era) => {
    const asked = await waiting(asking());
    const { client } = await clientAt(asked, { era });
    const needed = await call(client, "answer_question", { question: "q1" });
    expect(needed).toMatchObject({ isError: true, error: { code: "PERSON_NEEDED" } });
    expect(needed.error?.hint).toBe('Ask the person to type: cox answer q1 "…"');
    const named = await call(client, "answer_question", { question: "q1", run: asked.run });
    expect(named.error?.hint).toContain(`cox answer q1 "…" --run ${asked.run}`);
    expect((await asked.cox("answer", "q1", "2", "--run", asked.run)).exitCode).toBe(0);

    const deleted = await waiting(deleting());
    const other = await clientAt(deleted, { era });
    const confirm = await call(other.client, "confirm_operation", { question: "q1" });
    expect(confirm.error?.hint).toBe("Ask the person to type: cox confirm q1 or cox deny q1");
    expect(deleted.eventsOf("confirmation_given")).toEqual([]);
    expect((await deleted.cox("deny", "q1")).exitCode).toBe(0);
  },
);

test("a person who declines decides nothing, and neither does a word that was not offered", async () => {
  const crew = await waiting(deleting());
  const before = crew.events().length;
  const { client } = await clientAt(crew, { says: [undefined, "yes"] });
  for (const _ of ["declined", "another word"])
    expect(await call(client, "confirm_operation", { question: "q1" })).toMatchObject({
      isError: true,
      error: { code: "PERSON_SILENT", hint: expect.stringContaining("cox confirm q1") },
    });
  expect(crew.events()).toHaveLength(before);
  expect(existsSync(join(crew.root, "old.txt"))).toBe(true);
});

test("an answer that is too long for a prompt is refused", async () => {
  const crew = await waiting(asking());
  const { client } = await clientAt(crew, { says: ["something else", "x".repeat(20_001)] });
  expect(await call(client, "answer_question", { question: "q1" })).toMatchObject({
    error: { code: "ANSWER_TOO_LONG" },
  });
  expect(crew.eventsOf("divine_response_received")).toEqual([]);
});

test("a tool call about an unknown question or of the wrong kind is refused without asking, and names the right one", async () => {
  const crew = await waiting(asking());
  const { client, shown } = await clientAt(crew, { says: [] });
  const refused = async (name: string, given: Record<string, unknown>) =>
    (await call(client, name, given)).error;
  expect(await refused("answer_question", { question: "q7" })).toMatchObject({
    code: "QUESTION_UNKNOWN",
    hint: "Open: q1 (run_status).",
  });
  expect(await refused("confirm_operation", { question: "q1" })).toMatchObject({
    code: "QUESTION_WANTS_ANSWER",
    hint: "Use answer_question.",
  });
  expect(await refused("answer_question", { question: "q1", run: "none" })).toMatchObject({ code: "NO_RUN" });
  expect((await crew.cox("answer", "q1", "8080")).exitCode).toBe(0);
  expect(await refused("answer_question", { question: "q1" })).toMatchObject({
    code: "QUESTION_DECIDED",
    message: expect.stringContaining("8080"),
  });
  expect(await refused("answer_question", { question: "q7" })).toMatchObject({
    code: "QUESTION_UNKNOWN",
    hint: "Nothing waits for a person (run_status).",
  });
  const confirmed = await waiting(deleting());
  const other = await clientAt(confirmed, { says: [] });
  expect((await call(other.client, "answer_question", { question: "q1" })).error).toMatchObject({
    code: "QUESTION_WANTS_CONFIRM",
    hint: "Use confirm_operation.",
  });
  expect([...shown, ...other.shown]).toEqual([]);
});

test("a decision made elsewhere while the person was thinking stands", async () => {
  const crew = await waiting(asking());
  const { client, shown } = await clientAt(crew, {
    says: ["9090"],
    thinks: () => crew.cox("answer", "q1", "1"),
  });
  expect(await call(client, "answer_question", { question: "q1" })).toMatchObject({
    isError: true,
    error: { code: "QUESTION_DECIDED" },
  });
  expect(shown).toHaveLength(1);
  expect(crew.eventsOf("divine_response_received")).toMatchObject([{ answer: "8080" }]);
});

test.for(variants)(
  "%s over %s: a client that subscribed to a run is notified of a question, and can read it",
  async ([era, over]) => {
    const crew = new Crew({
      tasks: "- [ ] one",
      script: { one: [[held("begun"), ...asks]] },
      config: ['verify: "true"'],
    });
    const running = crew.start("run", "plan.md", "--yes");
    await crew.recorded("agent_dispatched");
    const { client } = await clientAt(crew, { era, over });
    const uri = `cox://runs/${crew.run}/questions`;
    const questions = async () => {
      const [content] = (await client.readResource({ uri })).contents;
      return JSON.parse(content && "text" in content ? content.text : "").questions;
    };
    expect(await questions()).toEqual([]);
    const updates: string[] = [];
    client.setNotificationHandler(
      "notifications/resources/updated",
      ({ params }) => void updates.push(params.uri),
    );
    if (era === "2025-11-25") await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    crew.release("begun");
    while ((await questions()).length === 0 || updates.length === 0) await sleep(100);
    expect(new Set(updates)).toEqual(new Set([uri]));
    expect(await questions()).toMatchObject([{ question: "q1", commands: ['cox answer q1 "…"'] }]);
    const { contents } = await client.readResource({ uri: `cox://runs/${crew.run}/log` });
    expect(contents).toMatchObject([{ text: expect.stringContaining("which port?") }]);
    await running.ended;
  },
);

test("every tool and resource of a run reports a log that was cut short, and asks nobody", async () => {
  const crew = await waiting(asking());
  const lines = crew.logText().trimEnd().split("\n");
  writeFileSync(crew.path("events.jsonl"), `${lines.slice(0, -1).join("\n")}\n`);
  const { client, shown } = await clientAt(crew, { says: ["8080", "8080"] });
  const status = await client.callTool({ name: "run_status", arguments: {} });
  expect(status).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^LOG_LOST_TAIL: /) }, { text: expect.stringContaining("one") }],
    structuredContent: { run: crew.run, total: 2, error: { code: "LOG_LOST_TAIL" } },
  });
  for (const view of ["status", "questions", "log"])
    await expect(client.readResource({ uri: `cox://runs/${crew.run}/${view}` })).rejects.toMatchObject({
      data: { code: "LOG_LOST_TAIL" },
    });
  for (const name of ["answer_question", "confirm_operation"])
    expect((await call(client, name, { question: "q1" })).error).toMatchObject({ code: "LOG_LOST_TAIL" });
  expect(shown).toEqual([]);
});

test("a damaged log of a run is reported with what to do", async () => {
  const crew = await waiting(asking());
  writeFileSync(crew.path("events.jsonl"), crew.logText().replace('"run_started"', '"run_startled"'));
  const { client } = await clientAt(crew);
  const read = client.readResource({ uri: `cox://runs/${crew.run}/status` });
  await expect(read).rejects.toMatchObject({
    data: { code: "LOG_CORRUPT", hint: expect.stringContaining("cox log --repair") },
  });
  expect((await call(client, "run_status")).error).toMatchObject({ code: "LOG_CORRUPT" });
});

test("a run that this user never approved can be looked at, but its questions cannot be answered", async () => {
  const crew = await waiting(asking());
  const env = { XDG_STATE_HOME: join(crew.home, "other") };
  const { client, shown } = await clientAt(crew, { says: ["8080"], env });
  expect(await call(client, "run_status")).toMatchObject({ isError: false, run: crew.run });
  expect(await call(client, "answer_question", { question: "q1" })).toMatchObject({
    error: { code: "RUN_NOT_APPROVED" },
  });
  expect(shown).toEqual([]);
});
