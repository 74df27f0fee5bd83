import { expect, test } from "vitest";
import { given } from "../../../../test/kernel/given.ts";
import { dispatch } from "../../../../test/kernel/in-words.ts";
import { plan } from "../../../../test/kernel/plan.ts";
import {
  done,
  failedAtBase,
  failedCheck,
  later,
  passedAtBase,
  started,
} from "../../../../test/kernel/steps.ts";
import { fromSnapshot, toSnapshot } from "../../snapshot.ts";
import { brokenBase } from "./base-verify.ts";

const settings = { verify_base: true, verify: ["npm test"], audit_attempts: 2 } as const;

test("the base is verified once, before anybody is sent to work", () => {
  const story = given(plan(settings, "a", "b")).wants("verify the base");
  story.when(passedAtBase).wants(dispatch("a"));
  expect(brokenBase(story.state)).toBeUndefined();
});

test.each([
  ["the plan says so", plan({ verify: ["npm test"] }, "a"), [dispatch("a")]],
  ["there are no commands of the plan", plan({ verify_base: true }, "a"), [dispatch("a")]],
  ["nothing is left to do", plan(settings, "a done"), ["finish"]],
])("the base is not verified where %s", (_, run, expected) => {
  given(run).wants(...expected);
});

test("a long verification of the base continues beside the first turns", () => {
  const story = given(plan(settings, "a", "b after a"));
  expect(story.decide().wakeAt).toBe(60_000);
  story.when(later(60_000)).wants(dispatch("a"), "verify the base");
  story.when(started("a")).wants("verify the base");
  story.when(done("a"), failedAtBase);
  expect(story.events().at(-1)).toBe("verification_failed");
});

test("a failing base stops nothing, and is mentioned with each failure of the same command", () => {
  const story = given(plan(settings, "a"), failedAtBase).wants(dispatch("a"));
  expect(brokenBase(story.state)).toEqual({ base: "base", why: "npm test ended with code 1" });
  story.when(failedCheck("a"));
  expect(story.task("a").feedback[0]?.message).toContain(
    "the verify commands failed, as they did at the base base, before any agent: npm test",
  );
  story.when(failedCheck("a"));
  expect(story.question("q1").text).toContain("as they did at the base base, before any agent");
});

test("a failing base is not mentioned for another command, nor once the branch passed", () => {
  const other = given(
    plan(settings, { line: "a", verify: ["npm run lint"] }),
    failedAtBase,
    failedCheck("a"),
  );
  expect(other.task("a").feedback[0]?.message).toContain("the verify commands failed: ");
  const mended = given(plan(settings, "a", "b after a"), failedAtBase, done("a"));
  expect(brokenBase(mended.state)).toBeUndefined();
  mended.when(failedCheck("b"));
  expect(mended.task("b").feedback[0]?.message).toContain("the verify commands failed: ");
});

test("the result of verifying the base is in a snapshot", () => {
  const { state } = given(plan(settings, "a"), failedAtBase);
  expect(fromSnapshot(toSnapshot(state)).baseVerify).toEqual(state.baseVerify);
});

test("a result of verifying the base that comes too late is refused", () => {
  const story = given(plan(settings, "a"));
  const [effect] = story.decide().effects;
  story.when(passedAtBase);
  if (effect?.effect !== "verify") throw new Error("it is verified");
  const { work, tree } = effect;
  story.refuses(
    { command: "verified", work, tree, evidence: { sha256: "", commands: [] } },
    { refused: "stale" },
  );
});
