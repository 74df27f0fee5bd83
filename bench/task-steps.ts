/** Tasks started and completed through the MCP server, in lists of three sizes; and the next task requested again. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "../src/std/assert.ts";
import { grouped } from "../src/std/counted.ts";
import { StdioServer } from "./contestants/stdio-server.ts";
import type { Scratch } from "./scratch.ts";
import type { Contestant, Workload } from "./workload.ts";

const program = fileURLToPath(new URL("../../bin/cox.js", import.meta.url));
const minimalProgram = fileURLToPath(new URL("./contestants/minimal-task-server.js", import.meta.url));
const stepsPerRun = 30;
const asksPerRun = 200;
const minimal = "minimal server";
const named = (tasks: number) => `cox mcp, ${grouped(tasks)} tasks`;

export function taskSteps(scratch: Scratch): Workload {
  return {
    name: "task-steps",
    work: `${stepsPerRun} tasks of a document started, then completed with a note: ${2 * stepsPerRun} calls, one after the other, over stdio, to a server that is warm`,
    fairness: [
      "cox mcp records each step durably twice, in the document and in the log of who did what, under a lock that other processes honour; the minimal server appends one line to a log and syncs it.",
      "The peers sync nothing (npm run bench -- --peers).",
    ],
    contestants: [
      ...[100, 1_000, 10_000].map((tasks) => stepsOf(tasks, scratch)),
      {
        name: minimal,
        async prepare() {
          const server = await StdioServer.start({ args: [minimalProgram], folder: scratch.fresh("tasks") });
          return {
            async go() {
              for (let at = 0; at < stepsPerRun; at++) {
                for (const step of ["start", "complete"]) await server.call(step, { task: `task-${at}` });
              }
            },
            end: () => server.stop(),
          };
        },
      },
    ],
    comparisons: [
      { slow: named(100), fast: minimal },
      { slow: named(1_000), fast: minimal },
      { slow: named(10_000), fast: minimal },
    ],
  };
}

export function nextTask(scratch: Scratch): Workload {
  const cox = "cox mcp, 1,000 tasks";
  return {
    name: "next-task",
    work: `the task at hand asked for ${asksPerRun} times, as after a compaction, in a list of 1,000, over stdio`,
    fairness: [
      "cox mcp looks at the file each time, and answers with the task, its Main-Workflow in full and what it refers to; the minimal server answers with a constant text of that length.",
    ],
    contestants: [
      {
        name: cox,
        async prepare() {
          const folder = scratch.fresh("tasks");
          writeList(folder, "coordinator/active.md", 1_000, "- Main-Workflow: bug-hunt\n");
          const server = await StdioServer.start({ args: [program, "mcp"], folder });
          await server.call("start_coordinator_task", {});
          return {
            async go() {
              for (let at = 0; at < asksPerRun; at++) await server.call("start_coordinator_task", {});
            },
            end: () => server.stop(),
          };
        },
      },
      {
        name: minimal,
        async prepare() {
          const server = await StdioServer.start({ args: [minimalProgram], folder: scratch.fresh("tasks") });
          await server.call("next", {});
          return {
            async go() {
              for (let at = 0; at < asksPerRun; at++) await server.call("next", {});
            },
            end: () => server.stop(),
          };
        },
      },
    ],
    comparisons: [{ slow: cox, fast: minimal, target: { atMost: 2 } }],
  };
}

/** A running server with this many tasks, and one step of it. */
export interface StepServer {
  step(task: number, to: "started" | "completed"): Promise<void>;
  stop(): Promise<void>;
}

/** The same server, for counting steps per second. */
export async function coxSteps(folder: string, tasks: number): Promise<StepServer> {
  writeList(folder, "docs/list.md", tasks);
  const server = await StdioServer.start({ args: [program, "mcp"], folder });
  return {
    async step(task, to) {
      const document = `/list.md#task-${task}`;
      if (to === "started") await server.call("start_subagent_task", { document });
      else await server.call("complete_subagent_task", { document, note: "done, and seen to work" });
    },
    stop: () => server.stop(),
  };
}

function stepsOf(tasks: number, scratch: Scratch): Contestant {
  return {
    name: named(tasks),
    async prepare() {
      const folder = scratch.fresh("tasks");
      writeList(folder, "docs/list.md", tasks);
      const server = await StdioServer.start({ args: [program, "mcp"], folder });
      await server.call("view_task", { document: "/list.md#task-0" });
      return {
        async go() {
          for (let at = 0; at < stepsPerRun; at++) {
            const document = `/list.md#task-${at}`;
            await server.call("start_subagent_task", { document });
            await server.call("complete_subagent_task", { document, note: "done, and seen to work" });
          }
        },
        async end() {
          await server.stop();
          const text = readFileSync(join(folder, ".coxswain/docs/list.md"), "utf8");
          const done = text.split("- Status: completed").length - 1;
          assert(done === stepsPerRun, `${stepsPerRun} tasks are completed, not ${done}`);
        },
      };
    },
  };
}

function writeList(folder: string, path: string, tasks: number, first = ""): void {
  const blocks = Array.from(
    { length: tasks },
    (_, at) =>
      `### Task ${at}\n\n- Status: pending\n${at === 0 ? first : ""}\nDo the thing number ${at}, as it says in the plan.\n`,
  );
  const file = join(folder, ".coxswain", path);
  mkdirSync(join(file, ".."), { recursive: true });
  mkdirSync(join(folder, ".git"));
  writeFileSync(file, `# List\n\n## Tasks\n\n${blocks.join("\n")}`);
}
