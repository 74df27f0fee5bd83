import { expect, test } from "vitest";
import { given } from "../../../../test/kernel/given.ts";
import { dispatch } from "../../../../test/kernel/in-words.ts";
import { resume, retry } from "../../../../test/kernel/person.ts";
import { plan } from "../../../../test/kernel/plan.ts";
import { crashed, done, later, orderTo, spent, started, turnOf } from "../../../../test/kernel/steps.ts";

test("a budget of turns is never exceeded, however many turns are running", () => {
  const two = plan({ budget: { turns: 2 } }, "a", "b", "c");
  given(two, started("a")).wants(dispatch("b"));
  given(two, started("a"), started("b")).wants("hold: 2 of 2 turns");
  given(two, crashed("a"), crashed("a")).wants("hold: 2 of 2 turns");
});

test("a run that has used up its budget exactly still finishes", () => {
  given(plan({ budget: { turns: 1 } }, "a"), done("a")).wants("finish");
});

const amounts = [
  { of: "tokens", limit: { tokens: 100 }, turn: { tokens: 40 }, words: "hold: 120 of 100 tokens" },
  { of: "money", limit: { usdMicros: 1e6 }, turn: { usd_micros: 4e5 }, words: "hold: $1.20 of $1.00" },
] as const;

test.each(amounts)("no turn is dispatched once the budget of $of is spent", ({ limit, turn, words }) => {
  const run = plan({ budget: limit, active_developers: 1 }, "a unchecked", "b unchecked", "c unchecked", "d");
  const story = given(run, spent("a", turn), done("a"), spent("b", turn), done("b"));
  story.wants(dispatch("c"));
  story.when(spent("c", turn), done("c")).wants(words);
});

test.each(amounts)(
  "running turns reserve as much of the $of budget as the dearest turn took",
  ({ limit, turn }) => {
    const lines = ["a unchecked", "b", "c", "d", "e"] as const;
    const story = given(plan({ budget: limit, active_developers: 5 }, ...lines), spent("a", turn), done("a"));
    // 40 are spent. One more turn makes it 80, so the one after that is the last.
    story.wants(dispatch("b"));
    story.when(started("b")).wants(dispatch("c"));
    story.when(started("c")).wantsNothing();
  },
);

test("a reserve of the budget is given back when a turn was cheaper", () => {
  const run = plan({ budget: { tokens: 100 } }, "a unchecked", "b unchecked", "c", "d");
  const story = given(run, spent("a", { tokens: 40 }), done("a"), started("b"), started("c"));
  story.wantsNothing();
  story.when(spent("b", { tokens: 1 }), done("b")).wants(dispatch("d"));
});

test("the budget is exceeded by at most one turn for each slot", () => {
  const lines = Array.from({ length: 30 }, (_, at) => `t${at} unchecked`) as [string];
  const story = given(plan({ budget: { tokens: 1000 }, active_developers: 4 }, ...lines));
  for (let at = 0; at < 200; at += 1) {
    const { order } = story.decide();
    if (order?.command === "dispatch") story.when(started(order.task));
    else {
      const [turn] = story.state.turns.values();
      if (!turn) break;
      story.when(spent(turn.task, { tokens: 130 }), done(turn.task));
    }
  }
  expect(story.state.spent.tokens).toBeGreaterThanOrEqual(1000);
  expect(story.state.spent.tokens).toBeLessThan(1000 + 4 * 130);
});

test("a time budget ends by itself, and the run wakes at that moment", () => {
  const story = given(plan({ budget: { timeMs: 5000 } }, "a", "b"), started("a"), later(4999));
  expect(story.decide()).toMatchObject({ order: { task: "b" }, wakeAt: 5000 });
  story.when(later(1)).wants("hold: 5 s of 5 s");
  expect(story.decide().wakeAt).toBeUndefined();
});

test("a run held by its budget continues when the limit is raised, and not before", () => {
  const story = given(plan({ budget: { turns: 1, tokens: 9 } }, "a", "b"), done("a"));
  story.when({ command: "hold-for-budget", detail: "1 of 1 turns" }).wantsNothing();
  expect(story.state.status).toMatchObject({ name: "paused", reason: "budget" });
  story.when(resume()).wants("hold: 1 of 1 turns");
  story.when(resume({ turns: 2 })).wants(dispatch("b"));
  expect(story.state.budget).toEqual({ turns: 2, tokens: 9 });
});

test("a task that spent its own budget is given up and asked about; a retry grants it once more", () => {
  const run = plan({ line: "a", budget: { turns: 2 } }, "b");
  const story = given(
    { ...run, settings: { ...run.settings, turn_attempts: 9 } },
    crashed("a"),
    crashed("a"),
  );
  story.records(orderTo("a"), "task_failed", "question_asked").wants(dispatch("b"));
  expect(story.task("a").phase).toMatchObject({ reason: "its budget is spent: 2 of 2 turns" });
  story.when(retry("a"), crashed("a"), crashed("a")).records(orderTo("a"), "task_failed", "question_asked");
});

test("tokens and money of every turn count, even of a crashed one", () => {
  const story = given(plan("a"), started("a"));
  const { turn } = turnOf(story, "a");
  const ended = { how: "crashed", code: "AGENT_EXIT", message: "", lastLine: "" } as const;
  story.tell({
    command: "turn-ended",
    turn,
    ended,
    spent: { ms: 7, tokens: 5, usd_micros: 3, usd_estimated: true },
  });
  const spent = { turns: 1, ms: 7, tokens: 5, usdMicros: 3, usdMicrosEstimated: 3 };
  expect(story.state.spent).toMatchObject(spent);
  expect(story.task("a").spent).toEqual(story.state.spent);
});

test("a turn with an unknown cost is counted as unknown, not as free", () => {
  const story = given(
    plan({ budget: { usdMicros: 1_000_000 } }, "a", "b"),
    spent("a", { usd_micros: 400_000 }),
    spent("b", {}),
  );
  expect(story.state.spent).toMatchObject({ usdMicros: 400_000, turnsOfUnknownCost: 1 });
  expect(story.task("a").spent.turnsOfUnknownCost).toBeUndefined();
  expect(story.task("b").spent.turnsOfUnknownCost).toBe(1);
});

test("a budget that is reached by the known costs is reported as a lower bound", () => {
  given(
    plan({ budget: { usdMicros: 1e6, turns: 9 } }, "a", "b", "c"),
    spent("a", {}),
    spent("b", { usd_micros: 1e6 }),
  ).wants("hold: at least $1.00 of $1.00", "collect a", "collect b");
});
