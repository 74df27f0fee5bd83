import { expect, test } from "vitest";
import { type Counter, counted } from "../../test/kernel/counted.ts";
import { outcomeOf } from "../../test/kernel/outcome.ts";
import { rollback } from "../../test/kernel/person.ts";
import { asId, plan } from "../../test/kernel/plan.ts";
import { admit } from "./admit.ts";
import type { Command } from "./command.ts";
import { decide } from "./decide.ts";
import { evolve } from "./evolve.ts";
import { initialState } from "./initial.ts";
import type { MutableState } from "./state.ts";

/** Chains of five tasks, each task with its own files, and one separate task with an auditor. */
function runOf(size: number) {
  const lines = Array.from({ length: size }, (_, at) => {
    const after = at % 5 === 0 ? "" : `after t${at - 1}`;
    return `t${at} ${at === 7 ? "audited" : ""} ${after} : src/t${at}.ts shares s${at}`;
  });
  return plan({ active_developers: 3, verify: ["make"] }, "t", ...lines);
}

test("the cost counter of this test notices a walk over all tasks", () => {
  const counts = [100, 1000].map((size) => {
    const state = begun(size);
    const counter = { count: 0 };
    for (const task of counted(state, counter).tasks.values()) expect(task.facts).toBeDefined();
    return counter.count;
  });
  expect(counts[1]).toBeGreaterThan(9 * (counts[0] ?? 0));
});

test("an event and a decision cost the same in a plan of 100 tasks and of 10,000", () => {
  const [small, large] = [costs(100), costs(10_000)];
  expect([...large.keys()]).toEqual([...small.keys()]);
  expect(large.size).toBeGreaterThan(15);
  expect(Object.fromEntries(large)).toEqual(Object.fromEntries(small));
});

/** The highest cost of each event, command and decision by name, over sixty steps and a rollback. */
function costs(size: number): Map<string, number> {
  const state = begun(size);
  const counter: Counter = { count: 0 };
  const view = counted(state, counter);
  const dearest = new Map<string, number>();
  const measured = <T>(what: string, work: () => T): T => {
    counter.count = 0;
    const answer = work();
    dearest.set(what, Math.max(dearest.get(what) ?? 0, counter.count));
    return answer;
  };
  const tell = (command: Command) => {
    const admitted = measured(`admit ${command.command}`, () => admit(view, command));
    if ("refused" in admitted) throw new Error(`${command.command} was refused: ${admitted.refused}`);
    for (const event of admitted)
      measured(event.event, () => evolve(view, { ...event, seq: state.seq + 1, time: 0, at: 0 }));
  };
  for (let step = 0; step < 60; step += 1) {
    const { order, effects } = measured("decide", () => decide(view, 0));
    if (order?.command === "dispatch") tell({ ...order, fenceTag: "tag" });
    else {
      // Take the last one: turns end before the work that waits for the branch, so several things are under way.
      const effect = effects.at(-1);
      if (effect) tell(outcomeOf(effect, state));
    }
  }
  const done = [...state.tasks.values()].find(({ phase }) => phase.name === "done");
  tell({ ...rollback(done?.facts.task ?? asId("t0")), cascade: true } as Command);
  return dearest;
}

function begun(size: number): MutableState {
  const state = initialState();
  evolve(state, { event: "run_started", data: runOf(size), seq: 1, time: 0, at: 0 });
  return state;
}
