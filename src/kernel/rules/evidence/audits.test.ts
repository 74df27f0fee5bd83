import { expect, test } from "vitest";
import { given } from "../../../../test/kernel/given.ts";
import { audit, dispatch } from "../../../../test/kernel/in-words.ts";
import { evidence } from "../../../../test/kernel/outcome.ts";
import { answer } from "../../../../test/kernel/person.ts";
import { asId, plan } from "../../../../test/kernel/plan.ts";
import { someCommit, someTree } from "../../../../test/kernel/some-object-ids.ts";
import {
  auditBlocked,
  auditFailed,
  auditorAsked,
  checked,
  conflicted,
  done,
  failedCheck,
  finding,
  gaveUp,
  passed,
  replied,
  replyOf,
  worked,
} from "../../../../test/kernel/steps.ts";
import { noTree } from "../../../std/object-id.ts";
import type { VerifyKey } from "../../event.ts";
import type { MutableState } from "../../state.ts";

test("the coordinator verifies work before an auditor judges it", () => {
  given(plan("a audited"), worked("a")).wants("verify a");
  given(plan("a audited"), checked("a")).wants(audit("a"));
});

test("if a task has no auditor, the verify commands alone decide, and the log says so", () => {
  const story = given(plan("a"), checked("a")).wants("merge a onto base");
  expect(story.log.at(-1)).toMatchObject({ event: "audit_passed", data: { by: "verify commands" } });
});

test("a task with neither auditor nor verify commands passes at once, and the log says that nobody judged it", () => {
  const story = given(plan("a unchecked"), worked("a")).wants("merge a onto base");
  expect(story.log.at(-1)).toMatchObject({ event: "audit_passed", data: { by: "nobody" } });
});

test("the auditor of a task without verify commands judges at once", () => {
  given(plan("a audited unchecked"), worked("a")).wants(audit("a"));
});

test("failing verify commands send the work back with their output, in another round at the same desk", () => {
  const story = given(plan("a audited"), failedCheck("a")).wants(dispatch("a"));
  expect(story.events().slice(-2)).toEqual(["verification_failed", "auditor_fail"]);
  expect(story.task("a")).toMatchObject({
    attempt: 2,
    feedback: [{ code: "VERIFY_FAILED", message: expect.stringContaining("npm test ended with code 1") }],
    desk: { base: "base", keep: true },
  });
});

test("an auditor who says FAIL sends the work back with the findings", () => {
  const story = given(plan("a audited"), auditFailed("a")).wants(dispatch("a"));
  expect(story.task("a")).toMatchObject({ attempt: 2, feedback: [finding], counts: { auditsFailed: 1 } });
});

const rounds = { "failed checks": failedCheck, "failed audits": auditFailed, "given up": gaveUp } as const;

test.each(Object.entries(rounds))(
  "after as many rounds as are allowed (%s) a person is asked",
  (_, round) => {
    const story = given(plan({ audit_attempts: 2 }, "a audited", "b after a"), round("a"));
    story.wants(dispatch("a"));
    story.when(round("a")).wantsNothing();
    expect(story.task("a").phase).toMatchObject({
      name: "failed",
      resumes: "work",
      reason: expect.stringMatching(/^2 attempts were not good enough; the last: /),
    });
  },
);

test("rounds of every kind count together, and a task may have its own limit", () => {
  const run = plan("b", { line: "a audited", attempts: 4 });
  const story = given(run, failedCheck("a"), auditFailed("a"), conflicted("a", "x.ts"));
  story.wants(dispatch("a"));
  story.when(gaveUp("a"));
  expect(story.phase("a")).toBe("failed");
});

test("a blocked auditor makes a person look, and judges again afterwards", () => {
  const story = given(plan("a audited"), auditBlocked("a")).wantsNothing();
  expect(story.events().slice(-2)).toEqual(["auditor_blocked", "question_asked"]);
  story.when(answer("q1", "the database runs now")).wants(audit("a"));
  expect(story.task("a").guidance.at(-1)?.answer).toBe("the database runs now");
  expect(story.task("a").counts).toMatchObject({ auditsFailed: 0, roundsFailed: 0 });
});

test("giving up a task that nobody can judge fails it", () => {
  const story = given(plan("a audited"), auditBlocked("a"), answer("q1", "Give up"));
  expect(story.phase("a")).toBe("failed");
  story.wants("finish");
});

test("an auditor may ask, and judges when it has the answer", () => {
  given(plan("a audited"), auditorAsked("a")).wantsNothing();
  given(plan("a audited"), auditorAsked("a"), answer("q1", "yes")).wants(audit("a"));
});

test("a tree that passed once is not verified again", () => {
  const story = given(plan("a", "b"), done("b"), replied("a"));
  const { tip, tipTree: tree } = story.state;
  const result = { kind: "work", tree, files: [], summary: "", outputs: [] } as const;
  story.when({ command: "collected", turn: replyOf(story, "a").turn, result }).wants(`merge a onto ${tip}`);
});

test("an auditor's PASS for work without evidence is refused", () => {
  const story = given(plan("a audited"), checked("a"), replied("a"));
  // No command removes evidence, so the test removes it here.
  (story.state as MutableState).evidence.clear();
  story.refuses(
    { command: "collected", turn: replyOf(story, "a").turn, result: { kind: "pass", summary: "" } },
    { refused: "no-evidence" },
  );
});

const lies = {
  "no command": evidence([], 0),
  "another command": evidence(["true"], 0),
  "a command that failed": evidence(["npm test"], 1),
};

test.each(Object.entries(lies))("a verification reported as passed that shows %s has failed", (_, shown) => {
  const story = given(plan("a"), worked("a"));
  const tree = story.task("a").work?.tree ?? noTree;
  const work = { of: "task", task: asId("a"), attempt: 1 } as const;
  story.records({ command: "verified", work, tree, evidence: shown }, "verification_failed", "auditor_fail");
});

test("a verification that is no longer wanted is refused", () => {
  const story = given(plan("a"), worked("a"));
  const tree = story.task("a").work?.tree ?? noTree;
  const good = evidence(["npm test"], 0);
  const verifiedAs = (work: VerifyKey, of = tree) =>
    ({ command: "verified", work, tree: of, evidence: good }) as const;
  const a = asId("a");
  const stale = { refused: "stale" } as const;
  story.refuses(verifiedAs({ of: "task", task: a, attempt: 1 }, someTree("another tree")), stale);
  story.refuses(verifiedAs({ of: "task", task: a, attempt: 2 }), stale);
  story.refuses(verifiedAs({ of: "task", task: asId("unheard of"), attempt: 1 }), stale);
  story.refuses(verifiedAs({ of: "merge", task: a, attempt: 1, onto: someCommit("base") }), stale);
  story.refuses(verifiedAs({ of: "rollback", task: a }), stale);
  story.refuses(verifiedAs({ of: "run" }), stale);
  story.when(passed("a")).refuses(verifiedAs({ of: "task", task: a, attempt: 1 }), stale);
});

test("the whole run is verified once, when all its tasks are done", () => {
  const story = given(plan({ verify: ["make"] }, "a", "b"), done("a"));
  const whole = () =>
    ({
      command: "verified",
      work: { of: "run" },
      tree: story.state.tipTree,
      evidence: evidence(["make"], 0),
    }) as const;
  story.refuses(whole(), { refused: "stale" });
  story.when(done("b")).records(whole(), "verification_passed");
  story.refuses(whole(), { refused: "stale" });
});

test("no more verifications run at once than there are slots", () => {
  const story = given(plan({ active_developers: 1 }, "a", "b"), worked("b"), worked("a")).wants("verify b");
  story.when(passed("b")).wants("merge b onto base", "verify a");
});

test("an attempt that gives up keeps the desk and never brings back older work", () => {
  const story = given(plan("a", "b"), replied("a"), done("b"), conflicted("a", "x.ts"));
  const merged = story.task("a").desk;
  story.when(gaveUp("a"));
  expect(story.task("a").desk).toEqual({ ...merged, keep: true });
});
