import { expect, test } from "vitest";
import { given } from "../../../../test/kernel/given.ts";
import { dispatch } from "../../../../test/kernel/in-words.ts";
import { resume, stop, trouble } from "../../../../test/kernel/person.ts";
import { asId, plan } from "../../../../test/kernel/plan.ts";
import { someCommit, someTree } from "../../../../test/kernel/some-object-ids.ts";
import {
  advanced,
  branchWorked,
  committable,
  committed,
  conflicted,
  done,
  failedCheckOnMerge,
  merged,
  passed,
  replied,
  started,
  worked,
} from "../../../../test/kernel/steps.ts";
import { noTree } from "../../../std/object-id.ts";
import type { MutableState } from "../../state.ts";

test("work that passed is merged, committed and put on the branch, each recorded before the next", () => {
  const story = given(plan("a"), passed("a")).wants("merge a onto base");
  story.when(merged("a")).wants("commit a");
  story.when(committed("a"));
  const { data } = story.log.at(-1) ?? {};
  expect(data).toMatchObject({ task: "a", parent: "base", commit: expect.any(String) });
  const { commit } = data as { commit: string };
  story.wants(`advance base to ${commit}`);
  story.records(
    { command: "advanced", from: someCommit("base"), to: someCommit(commit) },
    "task_commit_recorded",
    "task_complete",
  );
  expect(story.state.tip).toBe(commit);
  expect(story.task("a").phase).toMatchObject({
    name: "done",
    commit: { parent: "base", files: ["a.ts"] },
  });
});

test("work with nothing integrated beside it is not verified again", () => {
  given(plan("a"), merged("a")).wants("commit a");
});

test("work with something integrated beside it is verified again, on the merged tree", () => {
  const story = given(plan("a", "b"), replied("a"), done("b"), merged("a"));
  const { tip } = story.state;
  story.wants(`verify a on ${tip}`);
  story.when(committable("a")).wants("commit a");
  story.when(done("a"));
  const { phase } = story.task("a");
  expect(phase).toMatchObject({ commit: { parent: tip } });
});

test("work without verify commands is committed as it was merged", () => {
  given(plan("a unchecked", "b"), replied("a"), done("b"), merged("a")).wants("commit a");
});

test("work that fails on top of what was integrated goes back to a desk with both", () => {
  const story = given(plan("a", "b"), replied("a"), done("b"), failedCheckOnMerge("a"));
  const { tip } = story.state;
  story.wants(dispatch("a"));
  expect(story.task("a")).toMatchObject({
    attempt: 2,
    desk: { base: tip, tree: expect.stringContaining("merged"), keep: false },
    feedback: [{ message: expect.stringContaining("on top of what was integrated meanwhile") }],
  });
  expect(story.state.queue).toEqual([]);
  story.when(done("a")).wants("finish");
});

test("a merge conflict is resolved in another round, at a desk with both changes", () => {
  const story = given(plan("a", "b"), replied("a"), done("b"), conflicted("a", "x.ts", "y.ts"));
  const { tip } = story.state;
  story.wants(dispatch("a"));
  expect(story.task("a")).toMatchObject({
    attempt: 2,
    desk: { base: tip, tree: expect.stringContaining("conflict"), keep: false },
    feedback: [{ path: "x.ts" }, { path: "y.ts" }],
  });
  story.when(worked("a"));
  expect(story.task("a").work).toMatchObject({ base: tip });
});

test("a task that keeps conflicting fails after the allowed rounds", () => {
  const story = given(plan({ audit_attempts: 2 }, "a"), conflicted("a", "x.ts"), conflicted("a", "x.ts"));
  expect(story.task("a").phase).toMatchObject({
    name: "failed",
    reason: expect.stringContaining("it conflicts with what was integrated meanwhile: x.ts"),
  });
});

test("one task at a time is put on the branch, in the order in which they passed", () => {
  const story = given(plan("a", "b", "c"), passed("b"), passed("a"), passed("c")).wants("merge b onto base");
  story.when(committed("b"), advanced);
  story.wants(`merge a onto ${story.state.tip}`);
  story.when(branchWorked).wants("finish");
  const order = story.log.flatMap(({ event, data }) => (event === "task_commit_recorded" ? [data.task] : []));
  expect(order).toEqual(["b", "a", "c"]);
});

test("dependent tasks are ready when the task is done, and not before", () => {
  const story = given(plan("a", "b after a"), committed("a"));
  expect(story.phase("b")).toBe("waiting");
  story.when(done("a"));
  expect(story.phase("b")).toBe("ready");
  const names = story.events();
  expect(names.slice(-2)).toEqual(["task_commit_recorded", "task_complete"]);
});

test("a dependent task begins on top of what it depends on", () => {
  const story = given(plan("a", "b after a"), done("a"), started("b"));
  expect(story.task("b").desk).toMatchObject({ base: story.state.tip, tree: story.state.tipTree });
});

test("a commit whose own tree has no evidence is refused", () => {
  const story = given(plan("a"), committable("a"));
  const { phase } = story.task("a");
  const tree = phase.name === "integrating" && "tree" in phase.step ? phase.step.tree : noTree;
  // No command removes evidence, so the test removes it here.
  (story.state as MutableState).evidence.clear();
  story.refuses(
    { command: "committed", task: asId("a"), parent: someCommit("base"), tree, commit: someCommit("c") },
    { refused: "no-evidence", task: asId("a"), tree },
  );
});

test("a moved branch pauses the run, which says how to put it back and continues from there", () => {
  const story = given(plan("a", "b"), committed("a"));
  const [key = ""] = story.decide().effects.map(({ key }) => key);
  const to = key.split("→")[1] ?? "";
  story
    .records(
      { command: "advanced", from: someCommit("base"), to: someCommit(to), found: someCommit("foreign") },
      "run_paused",
    )
    .wantsNothing();
  expect(story.state.status).toMatchObject({
    reason: "trouble",
    detail:
      "somebody moved cox/r1 from base to foreign; move it back with: git update-ref refs/heads/cox/r1 base foreign",
  });
  expect(story.state.tip).toBe("base");
  story.when(resume()).wants(dispatch("b"), `advance base to ${to}`);
});

test("a branch that cannot be moved pauses the run and blames no task", () => {
  const story = given(plan("a", "b"), committed("a"));
  const [key = ""] = story.decide().effects.map((effect) => effect.key);
  expect(key).toMatch(/^advance:/);
  const before = story.task("a");
  story.records(trouble(key), "run_paused").wantsNothing();
  expect(story.log.at(-1)?.data).toEqual({ reason: "trouble", detail: "the disk is full Make room." });
  expect(story.task("a")).toEqual(before);
  story.when(resume()).wants(dispatch("b"), key.replace("advance:", "advance ").replace("→", " to "));
});

test("a commit being put on the branch when the run is stopped gets there, and nothing else begins", () => {
  const story = given(plan("a", "b after a"), committed("a"), stop());
  story.when(advanced).wantsNothing();
  expect(story.phases()).toEqual({ a: "done", b: "ready" });
  given(plan("a"), committable("a"), stop()).wantsNothing();
});

test("an integration outcome for another base, tree or commit than awaited is stale", () => {
  const a = asId("a");
  const stale = { refused: "stale" } as const;
  const clean = { kind: "clean", tree: someTree("t"), files: [] } as const;
  const story = given(plan("a"), worked("a"));
  story.refuses({ command: "merged", task: a, onto: someCommit("base"), result: clean }, stale);
  story
    .when(passed("a"))
    .refuses({ command: "merged", task: a, onto: someCommit("elsewhere"), result: clean }, stale);
  story.when(committable("a"));
  story.refuses({ command: "merged", task: a, onto: someCommit("base"), result: clean }, stale);
  story.refuses(
    {
      command: "committed",
      task: a,
      parent: someCommit("base"),
      tree: someTree("another"),
      commit: someCommit("c"),
    },
    stale,
  );
  story.refuses({ command: "advanced", from: someCommit("base"), to: someCommit("c") }, stale);
  story.when(committed("a"));
  story.refuses(
    {
      command: "committed",
      task: a,
      parent: someCommit("base"),
      tree: someTree("t"),
      commit: someCommit("c"),
    },
    stale,
  );
  story.refuses({ command: "advanced", from: someCommit("base"), to: someCommit("another") }, stale);
  story.refuses({ command: "advanced", from: someCommit("elsewhere"), to: someCommit("c") }, stale);
});
