/**
 * Other task programs, through their own MCP servers: how many steps (a task started or completed) they make per
 * second, in lists of three sizes. Each has some seconds, because a full run may take minutes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { grouped } from "../src/std/counted.ts";
import { type Fetchable, fetched } from "../test/clients/fetched.ts";
import { backlogProgram, beginBacklog, startBacklog } from "./contestants/backlog.ts";
import { StdioServer } from "./contestants/stdio-server.ts";
import type { PeerAim, PeerTable } from "./peer-table.ts";
import type { Scratch } from "./scratch.ts";
import { spread } from "./statistics.ts";
import { coxSteps, type StepServer } from "./task-steps.ts";

const sizes = [100, 1_000, 10_000];
const rounds = 3;
const secondsMax = 15;
const tasksMax = 50;

interface Peer extends Fetchable {
  open(program: string, folder: string, tasks: number): Promise<StepServer>;
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

/** Runs each size of each program several times, alternating with the others; the median counts. */
export async function taskPeers(scratch: Scratch, progress: (line: string) => void): Promise<PeerTable> {
  const found = await Promise.all(
    [taskMaster, backlog].map(async (peer) => ({ peer, at: await fetched(peer) })),
  );
  const programs: Program[] = [
    { who: "cox mcp", open: (tasks) => coxSteps(scratch.fresh("cox"), tasks) },
    ...found.flatMap(({ peer, at }) =>
      "missing" in at
        ? []
        : [
            {
              who: `${peer.name} ${peer.version}`,
              open: (tasks: number) => peer.open(at.path, scratch.fresh(peer.program), tasks),
            },
          ],
    ),
  ];
  const rates = new Map(programs.map(({ who }) => [who, sizes.map((): number[] => [])]));
  for (let round = 1; round <= rounds; round++) {
    for (const [at, tasks] of sizes.entries()) {
      for (const { who, open } of programs) {
        const steps = await rate(await open(tasks));
        rates.get(who)?.[at]?.push(steps);
        progress(
          `task-peers: round ${round} of ${rounds}, ${who}, ${grouped(tasks)} tasks, ${shown(steps)} a second`,
        );
      }
    }
  }
  const rows = programs.map(({ who }) => ({
    who,
    steps: (rates.get(who) ?? []).map((some) => spread(some).median),
  }));
  const missing = found.flatMap(({ peer, at }) => ("missing" in at ? [`${peer.name}: ${at.missing}`] : []));
  return {
    name: "task-peers",
    work: "Tasks started and completed in lists of three sizes, steps a second, one after the other, over stdio, each program through its own MCP server",
    columns: sizes.map((tasks) => `${grouped(tasks)} tasks`),
    rows: rows.map(({ who, steps }) => ({ who, cells: steps.map(shown) })),
    aims: aimsOf(rows),
    fairness: [
      "cox mcp syncs each step, in the document and in the log; the others sync nothing.",
      `The median of ${rounds} rounds. Each program has at most ${secondsMax} seconds or ${2 * tasksMax} steps a size and round.`,
      ...missing,
    ],
  };
}

interface Program {
  readonly who: string;
  open(tasks: number): Promise<StepServer>;
}

interface Row {
  readonly who: string;
  readonly steps: readonly number[];
}

function aimsOf([cox, ...others]: readonly Row[]): PeerAim[] {
  const [few = 0, some = 0, many = 0] = cox?.steps ?? [];
  const least = Math.min(few, some);
  const best = Math.max(0, ...others.map(({ steps }) => steps[2] ?? 0));
  const alone = {
    wanted: "cox mcp: at least 300 up to 1,000 tasks",
    found: shown(least),
    met: least >= 300,
  };
  if (best === 0) return [alone];
  return [
    alone,
    {
      wanted: "cox mcp: at least ten times the best of the others at 10,000 tasks",
      found: `${shown(many / best)} times`,
      met: many >= 10 * best,
    },
  ];
}

function shown(value: number): string {
  return value.toPrecision(3);
}

async function rate({ step, stop }: StepServer): Promise<number> {
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
    return steps / seconds();
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
