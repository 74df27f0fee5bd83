/** A server's means in memory, with a few tools made for looking at the server itself. */
import { z } from "zod";
import { ServerLog } from "../../src/mcp/server-log.ts";
import type { ServerOptions } from "../../src/mcp/server-options.ts";
import { type Tool, tool } from "../../src/mcp/tool.ts";
import type { Workflow, Workflows } from "../../src/task/workflow/workflows.ts";
import { SmallStore } from "../document/small-store.ts";
import { type MemoryRuns, memoryRuns } from "./memory-runs.ts";

export interface TestServerOptions extends ServerOptions {
  readonly store: SmallStore;
  readonly runs: MemoryRuns;
  /** What was said to whoever runs the server. */
  readonly said: string[];
}

export function testServerOptions({
  files = {},
  door = "mcp-stdio",
  workflows = [],
  more = [],
}: {
  readonly files?: Readonly<Record<string, string>>;
  readonly door?: ServerOptions["door"];
  readonly workflows?: readonly Workflow[];
  readonly more?: readonly Tool[];
} = {}): TestServerOptions {
  const store = new SmallStore(files);
  const said: string[] = [];
  return {
    store,
    said,
    tools: [whoAmI, addUp, askMe, slow, failing, ...more],
    base: { store, workflows: workflowsOf(workflows), root: "/nowhere" } as unknown as ServerOptions["base"],
    runs: memoryRuns({ "20260101-first": "It stands well." }),
    door,
    version: "1.2.3",
    log: new ServerLog(
      (line) => said.push(line),
      () => performance.now(),
    ),
    problemOf: (thrown) => ({ code: "BUG", message: (thrown as Error).message, hint: "Report it." }),
  };
}

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

const whoAmI = tool({
  name: "who_am_i",
  group: "documents",
  title: "Who am I",
  description: "The author of the call.",
  does: reads,
  input: z.strictObject({}),
  output: z.object({ name: z.string(), door: z.string(), can_ask: z.boolean() }),
  async call(_given, { author, person }) {
    return { data: { ...author, can_ask: person !== undefined }, text: author.name };
  },
});

const addUp = tool({
  name: "add_up",
  group: "documents",
  title: "Add up",
  description: "Adds numbers.",
  does: reads,
  input: z.strictObject({
    operations: z
      .array(
        z.discriminatedUnion("operation", [
          z.strictObject({ operation: z.literal("add"), number: z.number() }),
          z.strictObject({ operation: z.literal("repeat"), times: z.number().max(9) }),
        ]),
      )
      .min(1),
    label: z.string().optional(),
  }),
  output: z.object({ sum: z.number() }),
  async call({ operations }) {
    const sum = operations.reduce((total, one) => total + ("number" in one ? one.number : 0), 0);
    return { data: { sum }, text: String(sum) };
  },
});

const askMe = tool({
  name: "ask_me",
  group: "run",
  title: "Ask me",
  description: "Asks twice.",
  does: reads,
  input: z.strictObject({}),
  output: z.object({ colour: z.string().nullable(), why: z.string().nullable() }),
  async call(_given, { person }) {
    if (!person) return { problems: [{ code: "NOBODY", message: "nobody can be asked", hint: "Type it." }] };
    const colour = await person.choose("Which colour?", ["red", "green"]);
    const why = colour === undefined ? undefined : await person.write(`Why ${colour}?`);
    return { data: { colour: colour ?? null, why: why ?? null }, text: "asked" };
  },
});

const slow = tool({
  name: "slow",
  group: "run",
  title: "Slow",
  description: "Takes its time, until it is cancelled.",
  does: reads,
  input: z.strictObject({ ms: z.number() }),
  output: z.object({ cancelled: z.boolean() }),
  async call({ ms }, { signal }) {
    const cancelled = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
    return { data: { cancelled }, text: "done" };
  },
});

const failing = tool({
  name: "failing",
  group: "run",
  title: "Failing",
  description: "Always fails.",
  does: reads,
  input: z.strictObject({}),
  output: z.object({}),
  call: () => Promise.reject(new Error("the disk is full of eels")),
});

function workflowsOf(all: readonly Workflow[]): Workflows {
  return {
    list: () => all,
    find(_field, name) {
      const workflow = all.find((one) => one.name === name);
      return workflow
        ? { workflow }
        : { problem: { code: "WORKFLOW_UNKNOWN", message: name, hint: "Choose another." } };
    },
  };
}
