import { expect, test } from "vitest";
import { given, type Step, type Story } from "../../../../test/kernel/given.ts";
import { dispatch } from "../../../../test/kernel/in-words.ts";
import { plan } from "../../../../test/kernel/plan.ts";
import { crashed, killed, later, orderTo, replied, started } from "../../../../test/kernel/steps.ts";
import { fromSnapshot, toSnapshot } from "../../snapshot.ts";

const letters = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;

/** Tasks alternate between ada and ben, who share one account unless a test says otherwise. */
function crew({ slots = 8, accounts = ["work", "work"] }: { slots?: number; accounts?: string[] } = {}) {
  const lines = letters.map((line, at) => ({ line, agent: at % 2 === 0 ? "ada" : "ben" }));
  const [ofAda = "", ofBen = ""] = accounts;
  return {
    ...plan({ active_developers: slots, turn_attempts: 99 }, ...lines),
    agents: [
      { name: "ada", kind: "x", account: ofAda },
      { name: "ben", kind: "y", account: ofBen },
    ],
  };
}

const limited = (id: string, resetsInMs?: number) =>
  crashed(id, "AGENT_RATE_LIMIT", resetsInMs === undefined ? {} : { resetsInMs });
const back: Step = (story) => {
  const [held] = [...story.state.accounts.values()].filter(({ rest }) => rest);
  const { agent = "", until = story.now } = held?.rest ?? {};
  story.when(later(until - story.now));
  story.tell({ command: "return-agent", agent, account: held?.account ?? "" });
};
const startAll =
  (...ids: readonly string[]): Step =>
  (story) =>
    story.when(...ids.map(started));

/** Dispatches as many as the kernel itself would. */
const fill: Step = (story) => {
  for (let order = story.decide().order; order?.command === "dispatch"; order = story.decide().order)
    story.tell({ ...order, fenceTag: "tag" });
};
const atWork = ({ state }: Story) => [...state.turns.values()].map(({ task }) => task as string);

test("all agents of an account rest after a rate limit, and come back together", () => {
  const story = given(crew(), limited("a", 60_000)).wantsNothing();
  story.refuses(orderTo("b", "developer", "ben"), { refused: "not-possible-now" });
  expect(story.decide()).toMatchObject({ wakeAt: 60_000, isResting: true });
  story.when(later(60_000)).wants("return ada");
  story.when(back).wants(dispatch("a"));
  expect(story.log.at(-1)?.data).toEqual({ agent: "ada", account: "work" });
});

test("agents of another account work on during a rest", () => {
  given(crew({ accounts: ["one", "two"] }), limited("a", 60_000)).wants(dispatch("b"));
});

test("a failing server stops only the agent that met it, not its account", () => {
  given(crew(), crashed("a", "AGENT_API")).wants(dispatch("b"));
});

test("a rate limit halves the turns at once of an account: four become two, three and one become one", () => {
  for (const [ids, atOnce] of [
    [["a", "b", "c", "d"], 2],
    [["a", "b", "c"], 1],
    [["a"], 1],
  ] as const) {
    const story = given(crew(), startAll(...ids), limited("a", 1000));
    expect(story.state.accounts.get("work")).toMatchObject({ atOnce });
  }
});

test("turns that meet the same limit halve the account's turns only once", () => {
  const story = given(
    crew(),
    startAll("a", "b", "c", "d"),
    limited("a", 1000),
    limited("b", 2000),
    limited("c"),
  );
  expect(story.state.accounts.get("work")).toMatchObject({ atOnce: 2 });
  expect(story.state.accounts.get("work")?.rest?.until).toBe(2000);
});

test("after a rest no more turns are dispatched than the account takes, whichever of its agents they are for", () => {
  const story = given(
    crew(),
    startAll("a", "b", "c", "d"),
    limited("a"),
    limited("b"),
    limited("c"),
    limited("d"),
  );
  story.when(back, fill);
  expect(atWork(story)).toHaveLength(2);
  story.refuses(orderTo("e", "developer", "ada"), { refused: "not-possible-now" });
});

test("turns already running at the rate limit count towards the account's turns at once", () => {
  const story = given(crew(), startAll("a", "b", "c", "d"), limited("a"), back, fill);
  expect(atWork(story).sort()).toEqual(["b", "c", "d"]);
});

test("three replies after a rate limit allow one more turn at once; replies from before it do not count", () => {
  const story = given(crew({ slots: 4 }), startAll("a", "b", "c", "d"), limited("a"));
  story.when(replied("b"), replied("c"), replied("d"), back);
  expect(story.state.accounts.get("work")).toMatchObject({ atOnce: 2, successes: 0 });
  story.when(replied("a"), replied("e"));
  expect(story.state.accounts.get("work")).toMatchObject({ atOnce: 2, successes: 2 });
  story.when(replied("f"));
  expect(story.state.accounts.get("work")).toMatchObject({ atOnce: 3, successes: 0 });
});

test("an account that takes as many turns as there are slots is no longer limited", () => {
  const story = given(crew({ slots: 2 }), startAll("a", "b"), limited("a"), replied("b"), back);
  expect(story.state.accounts.get("work")).toMatchObject({ atOnce: 1 });
  story.when(replied("a"), replied("c"), replied("d"), fill);
  expect(story.state.accounts.get("work")?.atOnce).toBeUndefined();
  expect(atWork(story)).toHaveLength(2);
});

test("a second rate limit halves again, and the count of replies starts over", () => {
  const story = given(
    crew(),
    startAll("a", "b", "c", "d"),
    limited("a"),
    replied("b"),
    replied("c"),
    replied("d"),
  );
  story.when(back, replied("a"), replied("e"), startAll("f", "g"), limited("f"));
  expect(story.state.accounts.get("work")).toMatchObject({ atOnce: 1, successes: 0 });
});

test("the next agent in the fallback order takes over if the account of the first takes no more", () => {
  const both = { line: "z", agent: "ada", agents: ["ada", "ben"] };
  const run = {
    ...plan({ active_developers: 4 }, { line: "y", agent: "ada" }, both),
    agents: [
      { name: "ada", kind: "x", account: "one" },
      { name: "ben", kind: "y", account: "two" },
    ],
  };
  const story = given(run, started("y"), limited("y"), back, started("y"));
  expect(story.decide().order).toMatchObject({ task: "z", agent: "ben" });
});

test("a restarted process knows the rate limit and waits for what is left of it", () => {
  const story = given(crew(), startAll("a", "b", "c", "d"), limited("a", 60_000), later(20_000), killed);
  story.wantsNothing();
  expect(story.state.accounts.get("work")).toMatchObject({ atOnce: 2 });
  expect(story.decide()).toMatchObject({ wakeAt: 60_000, isResting: true });
});

test("time without a process counts for an account's rest, and its return is recorded", () => {
  const story = given(crew(), limited("a", 60_000));
  const [crash, rest] = story.log.slice(-2);
  expect([crash?.event, rest?.event]).toEqual(["agent_crashed", "agent_rested"]);
  // A day of wall time has passed; run time stood still.
  story.at = 86_400_000;
  story.when(killed).wants("return ada");
  story.when(back, fill);
  expect(atWork(story)).toHaveLength(1);
});

test("a clock that was set back makes no account rest longer", () => {
  const story = given(crew(), limited("a", 60_000));
  story.at = -86_400_000;
  story.when(killed);
  expect(story.decide().wakeAt).toBe(60_000);
});

test("the rate limit of an account is in a snapshot", () => {
  const { state } = given(crew(), startAll("a", "b", "c", "d"), limited("a"));
  expect(toSnapshot(fromSnapshot(toSnapshot(state)))).toEqual(toSnapshot(state));
  expect(fromSnapshot(toSnapshot(state)).accounts.get("work")).toMatchObject({ atOnce: 2 });
});

test("in a log without accounts each agent rests on its own", () => {
  const { agents: _, ...old } = crew();
  const story = given(old, limited("a", 60_000)).wants(dispatch("b"));
  expect([...story.state.accounts.keys()]).toEqual(["ada"]);
});

test("an agent brought back while its account rests is not sent before the others", () => {
  const story = given(crew(), startAll("a", "c"), limited("a", 60_000), crashed("c", "AGENT_NOT_SIGNED_IN"));
  expect(story.state.availability.get("ada")?.out).toBeDefined();
  story.when(killed);
  expect(story.state.availability.size).toBe(0);
  story.wantsNothing();
});

test("a rate limit met beside a failing server holds the account too", () => {
  const story = given(crew(), startAll("a", "c"), crashed("a", "AGENT_API"), limited("c", 60_000));
  story.refuses(orderTo("b", "developer", "ben"), { refused: "not-possible-now" });
});
