import { expect, test } from "vitest";
import { given, type Step, type Story } from "../../test/kernel/given.ts";
import { evidence } from "../../test/kernel/outcome.ts";
import { ana, asQuestion, retry, rollback } from "../../test/kernel/person.ts";
import { asId, plan } from "../../test/kernel/plan.ts";
import { someCommit, someTree } from "../../test/kernel/some-object-ids.ts";
import {
  asked,
  auditing,
  auditorAsked,
  checked,
  committable,
  committed,
  crashed,
  done,
  merged,
  orderTo,
  passed,
  replied,
  started,
  wantsToDelete,
  worked,
} from "../../test/kernel/steps.ts";
import { type CommitId, noTree, type TreeId } from "../std/object-id.ts";
import type { Command } from "./command.ts";
import type { TurnId } from "./event.ts";

const a = asId("a");

/** As correct as possible: each names the turn, tree and commit that the task has, so that only its phase decides. */
const commands: Record<string, (story: Story) => Command> = {
  "dispatch a developer": () => orderTo("a"),
  "dispatch an auditor": () => orderTo("a", "auditor"),
  "end the turn": (story) => ({
    command: "turn-ended",
    turn: turnOf(story),
    ended: { how: "replied", replySha256: "" },
    spent: { ms: 1 },
  }),
  "collect work": (story) => ({
    command: "collected",
    turn: turnOf(story),
    result: { kind: "work", tree: someTree("t"), files: [], summary: "", outputs: [] },
  }),
  "verify the work": (story) => ({
    command: "verified",
    work: { of: "task", task: a, attempt: story.task("a").attempt },
    tree: story.task("a").work?.tree ?? noTree,
    evidence: evidence(["npm test"], 0),
  }),
  "verify the merge": (story) => ({
    command: "verified",
    work: { of: "merge", task: a, attempt: story.task("a").attempt, onto: story.state.tip },
    tree: stepOf(story)?.tree ?? noTree,
    evidence: evidence(["npm test"], 0),
  }),
  merge: (story) => ({
    command: "merged",
    task: a,
    onto: story.state.tip,
    result: { kind: "clean", tree: someTree("t"), files: [] },
  }),
  commit: (story) => ({
    command: "committed",
    task: a,
    parent: story.state.tip,
    tree: stepOf(story)?.tree ?? noTree,
    commit: someCommit("c"),
  }),
  advance: (story) => ({
    command: "advanced",
    from: story.state.tip,
    to: someCommit(stepOf(story)?.commit ?? "c"),
  }),
  revert: (story) => ({
    command: "reverted",
    task: a,
    onto: story.state.tip,
    result: { kind: "committed", tree: someTree("t"), commit: someCommit("c") },
  }),
  answer: () => ({ command: "answer", question: asQuestion("q1"), answer: "so", by: ana }),
  confirm: () => ({ command: "confirm", question: asQuestion("q1"), by: ana }),
  deny: () => ({ command: "deny", question: asQuestion("q1"), reason: "", by: ana }),
  retry: () => retry("a"),
  rollback: () => rollback("a"),
};

const phases: Record<string, { steps: readonly Step[]; allowed: readonly string[] }> = {
  waiting: { steps: [], allowed: [] },
  ready: { steps: [done("first")], allowed: ["dispatch a developer"] },
  "working: turn": { steps: [done("first"), started("a")], allowed: ["end the turn"] },
  "working: collect": { steps: [done("first"), replied("a")], allowed: ["collect work"] },
  "working: due": { steps: [done("first"), crashed("a")], allowed: ["dispatch a developer"] },
  held: { steps: [done("first"), asked("a")], allowed: ["answer"] },
  "held to confirm": { steps: [done("first"), wantsToDelete("a")], allowed: ["confirm", "deny"] },
  "auditing: verify": { steps: [done("first"), worked("a")], allowed: ["verify the work"] },
  "auditing: due": { steps: [done("first"), checked("a")], allowed: ["dispatch an auditor"] },
  "auditing: turn": { steps: [done("first"), auditing("a")], allowed: ["end the turn"] },
  // A developer's reply from an auditor cannot be used; the auditor is asked again.
  "auditing: collect": {
    steps: [done("first"), auditing("a"), replied("a")],
    allowed: ["collect work"],
  },
  "held in audit": { steps: [done("first"), auditorAsked("a")], allowed: ["answer"] },
  "integrating: merge": { steps: [done("first"), passed("a")], allowed: ["merge"] },
  "integrating: verify": {
    steps: [done("first"), replied("a"), done("beside"), merged("a")],
    allowed: ["verify the merge"],
  },
  "integrating: commit": { steps: [done("first"), committable("a")], allowed: ["commit"] },
  "integrating: advance": { steps: [done("first"), committed("a")], allowed: ["advance"] },
  failed: {
    steps: [done("first"), crashed("a"), crashed("a"), crashed("a")],
    allowed: ["answer", "retry"],
  },
  done: { steps: [done("first"), done("a")], allowed: ["rollback"] },
  reverting: { steps: [done("first"), done("a"), rollback("a")], allowed: ["revert"] },
};

const run = plan("first", "a after first audited", "beside");

test.each(Object.entries(phases))(
  "in the phase %s a task admits only the commands that belong to it",
  (name, { steps, allowed }) => {
    const begin = () => given(run, ...steps);
    expect(begin().phase("a")).toBe(name.replace(/ (to confirm|in audit)$/, ""));
    const admitted: string[] = [];
    for (const [command, make] of Object.entries(commands)) {
      const story = begin();
      const before = structuredClone(story.task("a"));
      const answer = story.ask(make(story));
      if ("refused" in answer) {
        expect(answer.refused, command).toMatch(
          /^(illegal-transition|stale|unknown-question|wrong-kind-of-question|not-possible-now)$/,
        );
      } else if (answer.every(({ event }) => event === "rollback_failed")) {
        expect(command, "only a rollback is logged though nothing comes of it").toBe("rollback");
      } else admitted.push(command);
      expect(story.task("a"), `${command} was judged, and nothing changed by it`).toEqual(before);
    }
    expect(admitted).toEqual(allowed);
  },
);

test("a transition that does not exist is refused with both its ends", () => {
  given(run).refuses(orderTo("a"), {
    refused: "illegal-transition",
    task: a,
    from: "waiting",
    to: "developer dispatched",
  });
  given(run, done("first"), done("a")).refuses(retry("a"), {
    refused: "illegal-transition",
    task: a,
    from: "done",
    to: "working",
  });
});

function turnOf(story: Story): TurnId {
  const turns = [...story.state.turns.values(), ...story.state.replies.values()];
  return turns.find(({ task }) => task === a)?.turn ?? ("a.1.1" as TurnId);
}

function stepOf(story: Story): { name: string; tree?: TreeId; commit?: CommitId } | undefined {
  const { phase } = story.task("a");
  return phase.name === "integrating" ? phase.step : undefined;
}
