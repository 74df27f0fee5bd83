/**
 * Task programs of others, through their own MCP servers: how many steps (a task started, or completed) they make in a
 * second, in lists of three sizes. Each is given some seconds, since a run of theirs may take minutes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { grouped } from "../src/std/counted.ts";
import { type Fetchable, fetched } from "../test/clients/fetched.ts";
import { backlogProgram, beginBacklog, startBacklog } from "./contestants/backlog.ts";
import { StdioServer } from "./contestants/stdio-server.ts";
import type { Scratch } from "./scratch.ts";
import { coxSteps, type Stepping } from "./task-steps.ts";

const sizes = [100, 1_000, 10_000];
const secondsMax = 15;
const tasksMax = 50;

interface Peer extends Fetchable {
  open(program: string, folder: string, tasks: number): Promise<Stepping>;
}

const taskMaster: Peer = {
  name: "task-master-ai",
  version: "0.43.1",
  program: "task-master-mcp",
  async open(program, folder, tasks) {
    const all = numbered(tasks).map((id) => ({
      id,
      title: `Task ${id}`,
      description: `Do the thing number ${id}, as it says in the plan.`,
      status: "pending",
      dependencies: [],
      priority: "medium",
      subtasks: [],
    }));
    write(folder, ".taskmaster/tasks/tasks.json", JSON.stringify({ master: { tasks: all, metadata: {} } }));
    const server = await StdioServer.start({ args: [program], folder, environment: { HOME: folder } });
    return {
      async step(task, to) {
        const status = to === "started" ? "in-progress" : "done";
        await server.call("set_task_status", { id: String(task), status, projectRoot: folder });
      },
      stop: () => server.stop(),
    };
  },
};

const backlog: Peer = {
  ...backlogProgram,
  async open(program, folder, tasks) {
    beginBacklog(folder);
    for (const id of numbered(tasks)) {
      const head = `id: TASK-${id}\ntitle: Task ${id}\nstatus: To Do\nassignee: []\ncreated_date: '2026-01-01 00:00'\nlabels: []\ndependencies: []\n`;
      write(
        folder,
        `backlog/tasks/task-${id} - Task-${id}.md`,
        `---\n${head}---\n\n## Description\n\nDo it.\n`,
      );
    }
    const server = await startBacklog(program, folder);
    return {
      async step(task, to) {
        const status = to === "started" ? "In Progress" : "Done";
        await server.call("task_edit", { id: `TASK-${task}`, status });
      },
      stop: () => server.stop(),
    };
  },
};

/** Lines for people; each is said as soon as it is known. */
export async function taskPeers(scratch: Scratch, say: (line: string) => void): Promise<void> {
  say("steps a second, one after the other, over stdio (they sync nothing, cox mcp syncs every step):");
  for (const tasks of sizes) {
    const cox = await rate(await coxSteps(scratch.fresh("cox"), tasks));
    say(`  ${"cox mcp".padEnd(16)} ${grouped(tasks).padStart(7)} tasks  ${cox}`);
  }
  for (const peer of [taskMaster, backlog]) {
    const found = await fetched(peer);
    if ("missing" in found) {
      say(`  ${peer.name}: ${found.missing}`);
      continue;
    }
    for (const tasks of sizes) {
      const steps = await rate(await peer.open(found.path, scratch.fresh(peer.program), tasks));
      say(`  ${peer.name.padEnd(16)} ${grouped(tasks).padStart(7)} tasks  ${steps}`);
    }
  }
}

async function rate({ step, stop }: Stepping): Promise<string> {
  try {
    await step(1, "started");
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    let steps = 0;
    for (let task = 2; task <= tasksMax && seconds() < secondsMax; task++) {
      for (const to of ["started", "completed"] as const) {
        await step(task, to);
        steps += 1;
      }
    }
    return (steps / seconds()).toPrecision(3);
  } finally {
    await stop();
  }
}

function numbered(tasks: number): number[] {
  return Array.from({ length: tasks }, (_, at) => at + 1);
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}
