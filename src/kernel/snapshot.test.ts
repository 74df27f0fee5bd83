import { expect, test } from "vitest";
import { drain } from "../../test/kernel/drain.ts";
import { given } from "../../test/kernel/given.ts";
import { answer, rollback } from "../../test/kernel/person.ts";
import { plan } from "../../test/kernel/plan.ts";
import {
  asked,
  auditFailed,
  crashed,
  done,
  killed,
  passed,
  refusedReply,
  started,
  wantsToDelete,
  worked,
} from "../../test/kernel/steps.ts";
import { decide } from "./decide.ts";
import { evolve } from "./evolve.ts";
import { initialState } from "./initial.ts";
import { fromSnapshot, toSnapshot } from "./snapshot.ts";

/** A run in which a bit of everything happens. */
function eventful() {
  const run = plan(
    { verify: ["make"] },
    "a",
    "b after a",
    "c audited",
    "d : x.ts",
    "e : x.ts",
    "f",
    "g done",
    "h",
  );
  return given(
    run,
    done("a"),
    started("b"),
    auditFailed("c"),
    asked("d"),
    wantsToDelete("f"),
    crashed("e"),
    refusedReply("h"),
    answer("q1", "so"),
    passed("c"),
    killed,
    worked("h"),
    rollback("a"),
  );
}

test("a snapshot after any event gives the same state", () => {
  const story = eventful();
  const state = initialState();
  for (const occurred of story.log) {
    evolve(state, occurred);
    const restored = fromSnapshot(toSnapshot(state));
    expect(restored).toEqual(state);
    expect(orders(restored)).toEqual(orders(state));
    expect(decide(restored, 5)).toEqual(decide(state, 5));
  }
});

test("events after a snapshot lead to the same state as without it", () => {
  const story = eventful().when(drain);
  for (let cut = 1; cut < story.log.length; cut += 7) {
    const before = initialState();
    for (const occurred of story.log.slice(0, cut)) evolve(before, occurred);
    const restored = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(before))));
    for (const occurred of story.log.slice(cut)) evolve(restored, occurred);
    expect(toSnapshot(restored)).toEqual(toSnapshot(story.state));
  }
});

test("a snapshot shares nothing with the state it was taken of", () => {
  const story = given(plan("a"));
  const snapshot = toSnapshot(story.state);
  const before = JSON.stringify(snapshot);
  story.when(done("a"));
  expect(JSON.stringify(snapshot)).toBe(before);
});

/** Sets are equal in any order; the ones that are iterated must also have the same order. */
function orders({ index }: ReturnType<typeof initialState>) {
  return [[...index.dueWork], [...index.dueAudits], [...index.verifying], [...index.openQuestions]];
}
