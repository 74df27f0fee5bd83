/**
 * Every command that could come next in a run: outcomes of its effects, good or bad, what a person may say, a restart,
 * and earlier commands again. Some of them are refused; `admit` decides that.
 */
import type { Command, ReplyOutcome } from "../../src/kernel/command.ts";
import type { Effect } from "../../src/kernel/effect.ts";
import type { TurnId } from "../../src/kernel/event.ts";
import type { Story } from "./given.ts";
import { evidence, outcomeOf } from "./outcome.ts";
import { answer, confirm, deny, pause, resume, retry, rollback, stop, trouble } from "./person.ts";
import { someCommit, someTree } from "./some-object-ids.ts";

/** What the run itself wants, with successful outcomes; `mishaps` has the others. */
export function wantedNext(story: Story): Command[] {
  const { order, effects } = story.decide();
  const orders: Command[] = [];
  if (order) orders.push(order.command === "dispatch" ? { ...order, fenceTag: "tag" } : order);
  return [...orders, ...effects.map((effect) => outcomeOf(effect, story.state))];
}

export function mishaps(story: Story): Command[] {
  return story.decide().effects.flatMap((effect) => [...badOutcomes(effect), trouble(effect.key)]);
}

/** Mostly what makes sense; the rest is included for one task and one question. */
export function wordsOfPeople(story: Story): Command[] {
  const { tasks, questions } = story.state;
  const ofPhase = (name: string) =>
    [...tasks.values()].flatMap(({ facts, phase }) => (phase.name === name ? [facts.task] : []));
  const open = [...questions.values()].filter(({ decision }) => !decision).map(({ question }) => question);
  return [
    pause(),
    stop(),
    resume(),
    resume({ turns: 99, tokens: 999 }),
    { command: "leave-waiting" },
    {
      command: "open-session",
      pid: 1,
      version: "0",
      replayed: 1,
      recovered: ["a torn tail"],
      isWorking: true,
    },
    ...[...open, "q1"].flatMap((id) => [
      answer(id, "retry"),
      answer(id, "give up"),
      answer(id, "so"),
      confirm(id),
      deny(id),
    ]),
    ...[...ofPhase("failed"), "t0"].flatMap((id) => [retry(id), retry(id, { afresh: true })]),
    ...[...ofPhase("done"), "t0"].flatMap((id) => [rollback(id), rollback(id, { cascade: true })]),
  ];
}

/** Each of these has a different consequence. */
const failures = [
  { code: "AGENT_RATE_LIMIT", session: "s" },
  { code: "AGENT_RATE_LIMIT", resetsInMs: 100 },
  { code: "AGENT_API" },
  { code: "AGENT_NOT_SIGNED_IN" },
  { code: "AGENT_CONTEXT" },
  { code: "AGENT_REFUSED" },
];

const spent = { ms: 10, tokens: 3 };
const told = { code: "X", message: "not so" };

function badOutcomes(effect: Effect): Command[] {
  switch (effect.effect) {
    case "turn": {
      const { turn } = effect;
      const crashed = { how: "crashed", code: "AGENT_EXIT", message: "", lastLine: "" } as const;
      return [
        { command: "turn-ended", turn, ended: crashed, spent },
        { command: "turn-ended", turn, ended: { ...crashed, code: "DESK_FAILED" }, spent },
        ...failures.map(
          (one) => ({ command: "turn-ended", turn, ended: { ...crashed, ...one }, spent }) as const,
        ),
        { command: "turn-ended", turn, ended: { how: "cancelled", reason: "" }, spent },
        { command: "turn-started", turn, pid: 1, started: "" },
        { command: "turn-checkpoint", turn, text: "half", tree: someTree("half") },
      ];
    }
    case "collect":
      return badReplies.map((result) => collected(effect.turn, result));
    case "verify": {
      const { work, tree, commands } = effect;
      return [{ command: "verified", work, tree, evidence: evidence(commands, 1), failure: "it failed" }];
    }
    case "merge": {
      const result = { kind: "conflict", tree: someTree("conflict"), paths: ["x.ts"] } as const;
      return [{ command: "merged", task: effect.task, onto: effect.onto, result }];
    }
    case "revert": {
      const result = { kind: "conflict", paths: ["x.ts"] } as const;
      return [{ command: "reverted", task: effect.task, onto: effect.onto, result }];
    }
    case "advance":
      return [{ command: "advanced", from: effect.from, to: effect.to, found: someCommit("foreign") }];
    default:
      return [];
  }
}

const badReplies: readonly ReplyOutcome[] = [
  { kind: "refused", problems: [told] },
  { kind: "needs-confirmation", digest: "d", items: [{ ...told, path: "x.ts", sha256: "d" }] },
  { kind: "question", text: "so?", options: [] },
  { kind: "incomplete", reason: "too hard" },
  { kind: "fail", findings: [told] },
  { kind: "blocked", reason: "no database" },
];

function collected(turn: TurnId, result: ReplyOutcome): Command {
  return { command: "collected", turn, result };
}
