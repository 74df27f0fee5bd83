import { expect, test } from "vitest";
import { given, type Story } from "../../../../test/kernel/given.ts";
import { dispatch } from "../../../../test/kernel/in-words.ts";
import { answer } from "../../../../test/kernel/person.ts";
import { asId, plan } from "../../../../test/kernel/plan.ts";
import {
  crashed,
  killed,
  later,
  orderTo,
  replied,
  started,
  turnOf,
  worked,
} from "../../../../test/kernel/steps.ts";
import type { Command } from "../../command.ts";
import { decide } from "../../decide.ts";

const limit = "AGENT_RATE_LIMIT";
const limited = (id: string, resetsInMs?: number) =>
  crashed(id, limit, resetsInMs === undefined ? {} : { resetsInMs });

/** The agent is alone in its account. */
const devReturns = { command: "return-agent", agent: "dev", account: "dev" } as const;
const restOf = ({ state }: Story) => state.accounts.get("dev")?.rest ?? state.availability.get("dev")?.rest;

test("a rate limit is no failed attempt: the agent rests, and its tasks with it", () => {
  const story = given(plan("a", "b"), limited("a"));
  expect(story.events().slice(-2)).toEqual(["agent_crashed", "agent_rested"]);
  expect(story.task("a").counts.turnsLost).toBe(0);
  story.wantsNothing();
  expect(story.decide()).toMatchObject({ wakeAt: 30_000, isResting: true });
  story.refuses(orderTo("a"), { refused: "not-possible-now" });
  story.when(later(30_000)).wants("return dev");
  story.records(devReturns, "agent_returned").wants(dispatch("a"));
});

test("a resting agent gets no work until its return is recorded, whatever the clock says", () => {
  const story = given(plan("a"), limited("a"), later(99_000));
  story.refuses(orderTo("a"), { refused: "not-possible-now" });
  story.refuses({ command: "return-agent", agent: "nobody" }, { refused: "stale" });
  story.refuses({ ...devReturns, account: "nobody" }, { refused: "stale" });
});

/** How long the agent rests each time, if every turn fails like the first one. */
function restsOf(code: string, resetsInMs?: number): number[] {
  const story = given(plan({ turn_attempts: 99 }, "a"));
  const rests: number[] = [];
  while (!story.state.availability.get("dev")?.out) {
    story.when(crashed("a", code, resetsInMs === undefined ? {} : { resetsInMs }));
    const until = restOf(story)?.until;
    if (until === undefined) continue;
    rests.push(until - story.now);
    const { order } = story.when(later(until - story.now)).decide();
    expect(order?.command).toBe("return-agent");
    story.tell(order as Command);
  }
  return rests.map((ms) => ms / 1000);
}

test.each<[string, number | undefined, number[]]>([
  [limit, undefined, [30, 60, 120, 240, 480, 900, 900, 900]],
  ["AGENT_API", undefined, [5, 10, 20, 40, 80, 120, 120, 120]],
  [limit, 3_600_000, Array(8).fill(3600)],
  [limit, 0, [0.001, 60, 120, 240, 480, 900, 900, 900]],
  [limit, 99 * 3_600_000, Array(8).fill(24 * 3600)],
])("%s that resets in %s ms rests longer each time, and in the end the agent is out", (code, told, rests) => {
  expect(restsOf(code, told)).toEqual(rests);
});

test("a reply between two limits resets the length of an agent's rests", () => {
  const story = given(plan({ turn_attempts: 99 }, "a"));
  const rest = () => {
    story.when(limited("a"));
    story.when(later((restOf(story)?.until ?? 0) - story.now)).tell(devReturns);
  };
  rest();
  rest();
  expect(story.state.accounts.get("dev")?.rests).toBe(2);
  story.when(replied("a"));
  expect(story.state.accounts.get("dev")?.rests ?? 0).toBe(0);
});

test("turns that meet the same limit at once make one rest, as long as the longest", () => {
  const story = given(plan("a", "b", "c"), started("a"), started("b"), started("c"));
  story.when(limited("a", 10_000), limited("b"), limited("c", 60_000));
  expect(story.state.accounts.get("dev")).toMatchObject({ rests: 1, rest: { until: 60_000 } });
});

test("a failing server counts as a failed attempt of the task too, and is waited for", () => {
  const story = given(plan("a"), crashed("a", "AGENT_API"));
  expect(story.task("a").counts.turnsLost).toBe(1);
  expect(story.decide()).toMatchObject({ wakeAt: 5_000 });
});

test("a new session forgets which agents were out: somebody may have signed in", () => {
  const story = given(plan("a", "b"), crashed("a", "AGENT_NOT_SIGNED_IN"), killed);
  expect(story.state.availability.size).toBe(0);
  story.wants(dispatch("a"));
});

test("the run wakes at the end of its time budget, even if a rest is longer", () => {
  const story = given(plan({ budget: { timeMs: 10_000 } }, "a"), limited("a"));
  expect(story.decide().wakeAt).toBe(10_000);
  expect(decide(story.state, 10_001).wakeAt).toBe(30_000);
});

test("a run whose ready tasks wait for a rest is not over", () => {
  const story = given(plan("a", "b"), started("a"), started("b"));
  story.when(limited("a"), worked("b"));
  expect(story.state.accounts.get("dev")?.rests).toBe(0);
  expect(turnless(story)).toBe(true);
  story.wants("verify b");
});

function turnless({ state }: { state: { turns: { size: number } } }): boolean {
  return state.turns.size === 0;
}

test("a rest of an agent does not end its other turns, and their replies are taken", () => {
  const story = given(plan("a", "b"), started("a"), started("b"), limited("b"));
  expect(turnOf(story, "a").agent).toBe("dev");
  story.when(replied("a")).wants("collect a");
  expect(restOf(story)).toBeDefined();
});

test("after too many rests an agent is out; its count starts over when a person brings it back", () => {
  const story = given(plan({ turn_attempts: 99 }, "a", "b"));
  while (!story.state.availability.get("dev")?.out) {
    story.when(limited("a"));
    const { order } = story.when(later((restOf(story)?.until ?? story.now) - story.now)).decide();
    if (order?.command === "return-agent") story.tell(order);
  }
  story.when({ command: "hold-for-agent", task: asId("a") }, answer("q1", "try again"), limited("a"));
  expect(restOf(story)).toBeDefined();
});
