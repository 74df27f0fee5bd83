/** The cost of one event and one decision in plans of different sizes: it must not grow with the plan. */
import { admit } from "../src/kernel/admit.ts";
import type { Command } from "../src/kernel/command.ts";
import { decide } from "../src/kernel/decide.ts";
import { evolve } from "../src/kernel/evolve.ts";
import { initialState } from "../src/kernel/initial.ts";
import type { RecordedTask } from "../src/kernel/run-started.ts";
import type { MutableState } from "../src/kernel/state.ts";
import type { TaskId } from "../src/plan/plan.ts";
import { assert } from "../src/std/assert.ts";
import { someCommit, someTree } from "../test/kernel/some-object-ids.ts";
import { usualSettings } from "../test/kernel/usual-settings.ts";
import type { Contestant, Workload } from "./workload.ts";

const sizes = { "100 tasks": 100, "10,000 tasks": 10_000, "100,000 tasks": 100_000 } as const;
/** As many as the smallest plan has. */
const completed = 90;

export function kernelSteps(): Workload {
  return {
    name: "kernel-steps",
    work: `${completed} tasks dispatched, replied, merged and committed: ten decisions and eleven events each`,
    fairness: [
      "Every contestant takes the same steps in a plan of its size, with three agents at once; reading the plan is not measured.",
      "A task of the plan depends on the one a hundred before it, so that many are ready at any time.",
    ],
    contestants: Object.entries(sizes).map(([name, size]) => stepping(name, size)),
    comparisons: [
      { slow: "10,000 tasks", fast: "100 tasks", target: { atMost: 3 } },
      { slow: "100,000 tasks", fast: "100 tasks", target: { atMost: 3 } },
    ],
    roundsMin: 9,
  };
}

function stepping(name: string, size: number): Contestant {
  return {
    name,
    prepare: () => {
      const state = begun(size);
      return {
        go: () => {
          while (state.index.counts.done < completed) step(state);
        },
        end: () => assert(state.index.counts.done >= completed, "so many tasks are done"),
      };
    },
  };
}

function begun(size: number): MutableState {
  const state = initialState();
  const tasks = Array.from({ length: size }, (_, number): RecordedTask => {
    const task = `step-${number}` as TaskId;
    const before = number >= 100 ? [`step-${number - 100}` as TaskId] : [];
    return {
      task,
      key: task,
      task_id: `${task}_0`,
      title: task,
      agent: "dev",
      depends_on: before,
      priority: "normal",
      writes: [],
      deletes: [],
      shares: [],
      verify: [],
    };
  });
  submit(state, {
    command: "start",
    run: {
      run: "bench",
      title: "bench",
      plan_file: "plan.md",
      plan_sha256: "",
      config_sha256: "",
      base: someCommit("base"),
      base_tree: someTree("base"),
      branch: "cox/bench",
      by: { who: "bench", door: "coordinator" },
      settings: usualSettings,
      tasks,
    },
  });
  return state;
}

/** One round of the loop: the order that is due, and the outcome of each effect. */
function step(state: MutableState): void {
  const { order, effects } = decide(state, state.time);
  if (order) {
    submit(state, order.command === "dispatch" ? { ...order, fenceTag: "fence" } : order);
    return;
  }
  for (const effect of effects) {
    switch (effect.effect) {
      case "turn":
        submit(state, {
          command: "turn-ended",
          turn: effect.turn,
          ended: { how: "replied", replySha256: "" },
          spent: { ms: 1 },
        });
        break;
      case "collect":
        submit(state, {
          command: "collected",
          turn: effect.turn,
          result: { kind: "work", tree: someTree(effect.turn), files: ["a"], summary: "", outputs: [] },
        });
        break;
      case "merge": {
        const { task, onto, tree } = effect;
        submit(state, { command: "merged", task, onto, result: { kind: "clean", tree, files: [] } });
        break;
      }
      case "commit": {
        const { task, parent, tree } = effect;
        submit(state, { command: "committed", task, parent, tree, commit: someCommit(`c-${tree}`) });
        break;
      }
      case "advance":
        submit(state, { command: "advanced", from: effect.from, to: effect.to });
        break;
      default:
        throw new Error(`${effect.effect} is not wanted here`);
    }
  }
}

function submit(state: MutableState, command: Command): void {
  const admitted = admit(state, command);
  assert(!("refused" in admitted), `${command.command} is admitted`);
  for (const event of admitted) evolve(state, { ...event, seq: state.seq + 1, time: state.time + 1, at: 0 });
}
