/** Eight servers on one folder, each with its own client that calls its tools, killed at random and restarted. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { parsePlan } from "../../src/plan/read/parse.ts";
import { sized } from "../sized.ts";
import { house } from "../tidy/tree.ts";
import { folderWith } from "./folder.ts";

const clients = 8;
const steps = sized({ sample: 15, campaign: 50 });
const kills = sized({ sample: 6, campaign: 12 });

interface Acknowledged {
  /** Slugs of the tasks that were created, and of those that were completed. */
  readonly made: Set<string>;
  readonly completed: Set<string>;
  /** Lines appended to a section that all share. */
  readonly lines: Set<string>;
  archived: number;
}

test(`${clients} MCP clients make ${steps * 4} tool calls each and are killed at random: every acknowledged change is there once`, async () => {
  const root = folderWith();
  mkdirSync(join(root, ".git"));
  const seen: Acknowledged = { made: new Set(), completed: new Set(), lines: new Set(), archived: 0 };
  const killer = { left: kills };
  const first = new Client(root);
  await first.begin();
  await first.call("create_document", {
    document: "/shared.md",
    title: "Shared",
    content: "## Lines\n\nBegin.\n",
  });
  await first.end();
  await Promise.all(Array.from({ length: clients }, (_, at) => work(root, at, seen, killer)));
  expect(killer.left).toBe(0);

  const shared = readFileSync(join(root, ".coxswain/docs/shared.md"), "utf8");
  const lines = shared.split("\n").filter((line) => line.startsWith("line "));
  expect(new Set(lines).size).toBe(lines.length);
  expect([...seen.lines].filter((line) => !lines.includes(line))).toEqual([]);

  const tasks = [0, 1].flatMap((list) => {
    const text = readFileSync(join(root, `.coxswain/docs/list-${list}.md`), "utf8");
    const { plan, problems } = parsePlan(text);
    expect(problems.filter(({ code }) => code === "PLAN_DUPLICATE_ID" || code === "PLAN_UNCLOSED")).toEqual(
      [],
    );
    return plan.tasks;
  });
  const slugs = tasks.map(({ id }) => id as string);
  expect(new Set(slugs).size).toBe(slugs.length);
  expect([...seen.made].filter((slug) => !slugs.includes(slug))).toEqual([]);
  const done = new Set(tasks.filter(({ isDone }) => isDone).map(({ id }) => id as string));
  expect([...seen.completed].filter((slug) => !done.has(slug))).toEqual([]);
  for (const { id, fields } of tasks) {
    expect(fields.filter(({ key }) => key === "note").length, id).toBeLessThanOrEqual(1);
  }
  expect(seen.archived).toBeGreaterThan(0);
  expect(readdirSync(join(root, ".coxswain/archived/docs")).length).toBeGreaterThanOrEqual(seen.archived);
  expect(readdirSync(join(root, ".coxswain/documents/staged"))).toEqual([]);
});

/** One step creates, starts and completes a task and appends a line; now and then it creates and archives a document. */
async function work(root: string, at: number, seen: Acknowledged, killer: { left: number }): Promise<void> {
  let client = new Client(root);
  await client.begin();
  for (let step = 0; step < steps; step++) {
    const name = `task-${at}-${step}`;
    const document = `/list-${at % 2}.md`;
    if (killer.left > 0 && step % 25 === 5 + at) {
      killer.left -= 1;
      setTimeout(() => client.kill(), Math.random() * 40);
    }
    try {
      await client.call("subagent_task", { document, operations: [{ operation: "create", title: name }] });
      seen.made.add(name);
      await client.call("start_subagent_task", { document: `${document}#${name}` });
      await client.call("complete_subagent_task", { document: `${document}#${name}`, note: `${name} done` });
      seen.completed.add(name);
      const line = `line ${at}-${step}`;
      await client.call("section", {
        document: "/shared.md#lines",
        operations: [{ operation: "append", content: `${line}\n` }],
      });
      seen.lines.add(line);
      if (step % 10 !== 9) continue;
      const own = `/own-${at}-${step}.md`;
      await client.call("create_document", { document: own, title: "Own", content: "Mine.\n" });
      await client.call("delete_document", { document: own });
      seen.archived += 1;
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      client = new Client(root);
      await client.begin();
    }
  }
  await client.end();
}

class Gone extends Error {}

class Client {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, { settle(answer: Answer): void; fail(error: Error): void }>();
  #last = 0;

  constructor(root: string) {
    this.#child = spawn(process.execPath, [join(house, "bin/cox.js"), "mcp"], { cwd: root });
    this.#child.stderr.resume();
    this.#child.stdin.on("error", () => undefined);
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const answer = JSON.parse(line) as Answer;
      this.#waiting.get(answer.id ?? -1)?.settle(answer);
    });
    this.#child.once("close", () => {
      for (const { fail } of this.#waiting.values()) fail(new Gone("it was killed"));
    });
    onTestFinished(() => this.kill());
  }

  async begin(): Promise<void> {
    const clientInfo = { name: "many", version: "1" };
    await this.#ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  }

  async call(name: string, given: object): Promise<void> {
    const { result, error } = await this.#ask("tools/call", { name, arguments: given });
    expect(error, name).toBeUndefined();
    expect(result?.isError ? result.content : undefined, `${name} ${JSON.stringify(given)}`).toBeUndefined();
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.stdin.end();
    await ended;
  }

  #ask(method: string, params: object): Promise<Answer> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) throw new Gone("it was killed");
    this.#last += 1;
    const id = this.#last;
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((settle, fail) => this.#waiting.set(id, { settle, fail }));
  }
}

interface Answer {
  readonly id?: number;
  readonly error?: unknown;
  readonly result?: { readonly isError?: boolean; readonly content?: unknown };
}
