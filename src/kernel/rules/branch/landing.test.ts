import { expect, test } from "vitest";
import { given, type Story } from "../../../../test/kernel/given.ts";
import { evidence } from "../../../../test/kernel/outcome.ts";
import { ana, rollback } from "../../../../test/kernel/person.ts";
import { plan } from "../../../../test/kernel/plan.ts";
import { someCommit, someTree } from "../../../../test/kernel/some-object-ids.ts";
import {
  branchWorked,
  committed,
  done,
  failedFinalCheck,
  finalCheck,
  finished,
} from "../../../../test/kernel/steps.ts";
import type { Command } from "../../command.ts";
import { landingProof } from "./landing.ts";

const landing = (tree: string, more: { readonly unverified?: true } = {}) =>
  ({
    command: "prepare-landing",
    branch: "main",
    from: someCommit("m1"),
    to: someCommit("c1"),
    tree: someTree(tree),
    changeset: "x",
    by: ana,
    ...more,
  }) as const;
const landed = (isLanded: boolean) =>
  ({ command: "end-landing", landed: isLanded, reason: "the checkout is dirty" }) as const;
const seen = (tree: string, exit: number, failure?: string): Command => ({
  command: "verified",
  work: { of: "landing", onto: someCommit("m1") },
  tree: someTree(tree),
  evidence: evidence(["make"], exit),
  ...(failure !== undefined && { failure }),
});
const notVerified = { refused: "not-possible-now", why: expect.stringContaining("verify commands") } as never;

const wholly = () => given(plan({ verify: ["make"] }, "a"), done("a"), finalCheck, finished);
const tip = (story: Story) => story.state.tipTree;

test("a landing is prepared, and then it is landed or undone", () => {
  const story = given(plan("a"), done("a"), finished);
  const prepared = landing(tip(story));
  story.records(prepared, "landing_prepared");
  expect(story.state.landing).toEqual({ branch: "main", from: "m1", to: "c1", changeset: "x" });
  story.refuses(prepared, { refused: "not-possible-now" });
  story.records(landed(false), "landing_undone");
  expect(story.state.landing).toBeUndefined();
  story.records(prepared, "landing_prepared").records(landed(true), "run_landed");
  expect(story.state.landed).toEqual([{ branch: "main", from: "m1", to: "c1" }]);
  story.refuses(landed(true), { refused: "stale" });
});

test("nothing is landed while a commit is on its way to the branch", () => {
  const story = given(plan("a"), committed("a"));
  story.refuses(landing(tip(story)), { refused: "not-possible-now" });
});

test("a tree without evidence does not land until its verification passes", () => {
  const story = wholly();
  story.refuses(landing("merged"), notVerified);
  story.records(seen("merged", 1, "make: exit code 1"), "verification_failed");
  story.refuses(landing("merged"), notVerified);
  story.records(seen("merged", 0), "verification_passed").records(landing("merged"), "landing_prepared");
});

test("a person can land a tree that fails by saying so, and it is recorded", () => {
  const story = wholly();
  story.records(landing("merged", { unverified: true }), "landing_prepared");
  expect(story.log.at(-1)).toMatchObject({ data: { tree: "merged", unverified: true, by: ana } });
});

test("evidence without commands does not count for a landing, and a repeated verification is stale", () => {
  const story = wholly();
  const claimed = { ...seen("merged", 0), evidence: evidence([], 0) } as Command;
  story.records(claimed, "verification_failed");
  story.records(seen("merged", 0), "verification_passed").refuses(seen("merged", 0), { refused: "stale" });
});

test("the proof for the tip is the whole run's evidence, else its task's own commands, but not a whole that failed", () => {
  expect(landingProof(wholly().state, tip(wholly()))).toBe("passed");
  const part = given(plan({ verify: ["make"] }, "a", "b"), done("a"));
  expect(landingProof(part.state, tip(part))).toBe("passed");
  const failed = given(plan({ verify: ["make"] }, "a"), done("a"), failedFinalCheck, finished);
  expect(landingProof(failed.state, tip(failed))).toBe("none");
  const unchecked = given(plan("a unchecked"), done("a"), finished);
  expect(landingProof(unchecked.state, tip(unchecked))).toBe("no-commands");
});

test("the tree after a rollback is verified by the plan's commands before it lands", () => {
  const story = given(plan({ verify: ["make"] }, "a", "b"), done("a"), done("b"), finalCheck, finished);
  story.when(rollback("a"));
  story.refuses(landing(tip(story)), { refused: "not-possible-now" });
  story.when(branchWorked);
  expect(landingProof(story.state, tip(story))).toBe("passed");
});
