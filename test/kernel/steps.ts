/**
 * Steps named by what happened: each brings a task to where the step is possible, with only success on the way, and
 * then does it. `crashed("a")` dispatches a first if needed.
 */

import type { Command, ReplyOutcome, TurnEnded } from "../../src/kernel/command.ts";
import type { Effect } from "../../src/kernel/effect.ts";
import type { Role } from "../../src/kernel/event.ts";
import { agentFor } from "../../src/kernel/rules/agent/agent-for.ts";
import type { Phase, Task, Turn } from "../../src/kernel/state.ts";
import type { Story } from "./given.ts";
import { evidence, outcomeOf } from "./outcome.ts";
import { asId } from "./plan.ts";
import { someTree } from "./some-object-ids.ts";

type StoryStep = (story: Story) => void;

/** An agent is at work: a developer, or an auditor if the work is already there. */
export const started = (id: string): StoryStep => reach(id, isAt("turn"));
export const replied = (id: string): StoryStep => reach(id, isAt("collect"));
/** The work is there, and nothing is known about it yet. */
export const worked = (id: string): StoryStep =>
  reach(id, ({ name }) => name === "auditing" || name === "integrating");
/** Its verify commands passed. */
export const checked = (id: string): StoryStep =>
  reach(id, (phase) => phase.name === "integrating" || (phase.name === "auditing" && phase.step === "due"));
export const auditing = (id: string): StoryStep =>
  reach(id, (phase) => phase.name === "auditing" && phase.step === "turn");
/** The work passed its audit and goes on to the branch. */
export const passed = (id: string): StoryStep => reach(id, ({ name }) => name === "integrating");
export const merged = (id: string): StoryStep => reach(id, isIntegrating("verify", "commit"));
export const committable = (id: string): StoryStep => reach(id, isIntegrating("commit"));
export const committed = (id: string): StoryStep => reach(id, isIntegrating("advance"));
export const done = (id: string): StoryStep => reach(id, ({ name }) => name === "done");

export const crashed = (
  id: string,
  code = "AGENT_EXIT",
  more: { resetsInMs?: number; session?: string; message?: string } = {},
): StoryStep => ended(id, { how: "crashed", code, message: "it ended with code 1", lastLine: "", ...more });
export const timedOut = (id: string, limit: "wall" | "stall" = "wall"): StoryStep =>
  ended(id, { how: "timed-out", limit, afterMs: 60_000, lastLine: "" });
export const cancelled = (id: string): StoryStep => ended(id, { how: "cancelled", reason: "shutdown" });
export const spent =
  (id: string, { ms = 1000, ...rest }: { ms?: number; tokens?: number; usd_micros?: number }): StoryStep =>
  (story) => {
    started(id)(story);
    const turn = turnOf(story, id);
    const told = outcomeOf(
      { effect: "turn", key: "", turn: turn.turn, task: turn.task, role: turn.role },
      story.state,
    );
    story.tell({ ...told, spent: { ms, ...rest } } as Command);
  };

export const refusedReply = (id: string): StoryStep =>
  collected(id, {
    kind: "refused",
    problems: [{ code: "REPLY_UNCLEAR", message: "no operations were found" }],
  });
export const gaveUp = (id: string): StoryStep => collected(id, { kind: "incomplete", reason: "too hard" });
export const asked = (id: string): StoryStep =>
  collected(id, { kind: "question", text: "tabs or spaces?", options: [] });
export const wantsToDelete = (id: string, path = "old.ts", sha256 = "d1"): StoryStep =>
  collected(id, {
    kind: "needs-confirmation",
    digest: `digest of ${path}`,
    items: [{ code: "DELETES", message: `${path} is deleted`, path, sha256 }],
  });
export const auditFailed = (id: string): StoryStep => audited(id, { kind: "fail", findings: [finding] });
export const auditBlocked = (id: string): StoryStep =>
  audited(id, { kind: "blocked", reason: "no database" });
export const auditorAsked = (id: string): StoryStep =>
  audited(id, { kind: "question", text: "is it meant so?", options: [] });
export const auditorRefused = (id: string): StoryStep =>
  audited(id, { kind: "refused", problems: [{ code: "REPLY_UNCLEAR", message: "no verdict was found" }] });

export const finding = { code: "FINDING", message: "the email is not unique" };

export const failedCheck =
  (id: string): StoryStep =>
  (story) => {
    worked(id)(story);
    failVerification(story, ({ work }) => work.of === "task" && work.task === id);
  };
export const failedCheckOnMerge =
  (id: string): StoryStep =>
  (story) => {
    reach(id, isIntegrating("verify"))(story);
    failVerification(story, ({ work }) => work.of === "merge" && work.task === id);
  };
export const failedFinalCheck: StoryStep = (story) =>
  failVerification(story, ({ work }) => work.of === "run");
export const failedAtBase: StoryStep = (story) => failVerification(story, ({ work }) => work.of === "base");
export const passedAtBase: StoryStep = (story) =>
  story.tell(
    outcomeOf(
      effectOf(story, (effect) => isVerify(effect) && effect.work.of === "base"),
      story.state,
    ),
  );
export const finalCheck: StoryStep = (story) =>
  story.tell(
    outcomeOf(
      effectOf(story, (effect) => isVerify(effect) && effect.work.of === "run"),
      story.state,
    ),
  );

export const conflicted =
  (id: string, ...paths: string[]): StoryStep =>
  (story) => {
    passed(id)(story);
    const onto = story.state.tip;
    const result = { kind: "conflict", tree: someTree(`conflict-${story.state.seq}`), paths } as const;
    story.tell({ command: "merged", task: asId(id), onto, result });
  };

/** Does everything that is wanted for the branch, including rollbacks, until nothing is left. */
export const branchWorked: StoryStep = (story) => {
  for (;;) {
    const { effects } = story.decide();
    const effect = effects.find(isAboutBranch);
    if (!effect) return;
    story.tell(outcomeOf(effect, story.state));
  }
};

export const reverted =
  (id: string): StoryStep =>
  (story) =>
    story.tell(
      outcomeOf(
        effectOf(story, ({ effect, ...rest }) => effect === "revert" && "task" in rest && rest.task === id),
        story.state,
      ),
    );
export const advanced: StoryStep = (story) =>
  story.tell(
    outcomeOf(
      effectOf(story, ({ effect }) => effect === "advance"),
      story.state,
    ),
  );
export const revertConflicts =
  (id: string, ...paths: string[]): StoryStep =>
  (story) => {
    const onto = (
      effectOf(story, ({ effect }) => effect === "revert") as Extract<Effect, { effect: "revert" }>
    ).onto;
    story.tell({ command: "reverted", task: asId(id), onto, result: { kind: "conflict", paths } });
  };

/** Ends the turns that are no longer wanted. */
export const turnsEnded: StoryStep = (story) => {
  for (const effect of story.decide().effects)
    if (effect.effect === "end-turn") story.tell(outcomeOf(effect, story.state));
};
export const finished: StoryStep = (story) => story.tell({ command: "finish" });
export const later =
  (ms: number): StoryStep =>
  (story) => {
    story.now += ms;
  };
/** The coordinator was killed and started again. */
export const killed: StoryStep = (story) => {
  story.begun.clear();
  story.tell({
    command: "open-session",
    pid: 2,
    version: "0",
    replayed: story.log.length,
    recovered: [],
    isWorking: true,
  });
};

export function orderTo(id: string, role: Role = "developer", agent?: string): Command {
  const usual = role === "developer" ? "dev" : "auditor";
  return { command: "dispatch", task: asId(id), role, agent: agent ?? usual, fenceTag: "tag" };
}

/** The turn whose reply is waiting to be read. */
export function replyOf(story: Story, id: string): Turn {
  const turn = [...story.state.replies.values()].find(({ task }) => task === id);
  if (!turn) throw new Error(`no reply for ${id} waits`);
  return turn;
}

export function turnOf(story: Story, id: string): Turn {
  const turn = [...story.state.turns.values()].find(({ task }) => task === id);
  if (!turn) throw new Error(`nobody is at work on ${id}`);
  return turn;
}

function reach(id: string, isThere: (phase: Phase) => boolean): StoryStep {
  return (story) => {
    for (let step = 0; step < 30; step += 1) {
      if (isThere(story.task(id).phase as Phase)) return;
      goOn(story, story.task(id));
    }
    throw new Error(`${id} does not get there; it is ${story.phase(id)}`);
  };
}

/** Takes a task one step further, with success. */
function goOn(story: Story, { facts, phase }: Task): void {
  const isDue = "step" in phase && phase.step === "due";
  if (phase.name === "ready" || isDue) {
    const role = phase.name === "auditing" ? "auditor" : "developer";
    story.tell(orderTo(facts.task, role, agentFor(story.state, story.task(facts.task), role)));
    const { turn } = turnOf(story, facts.task);
    story.tell({ command: "turn-started", turn, pid: 1, started: "now" });
    story.begun.add(`turn:${turn}`);
    return;
  }
  if ("step" in phase && phase.step === "turn") {
    const { turn, task, role } = turnOf(story, facts.task);
    story.tell(outcomeOf({ effect: "turn", key: "", turn, task, role }, story.state));
    return;
  }
  story.tell(
    outcomeOf(
      effectOf(story, (effect) => isAbout(effect, facts.task, phase)),
      story.state,
    ),
  );
}

function isAbout(effect: Effect, id: string, phase: Task["phase"]): boolean {
  if (effect.effect === "advance") {
    const step = phase.name === "integrating" ? phase.step : undefined;
    return step?.name === "advance" && step.commit === effect.to;
  }
  if (effect.effect === "verify") return "task" in effect.work && effect.work.task === id;
  return "task" in effect && effect.task === id;
}

function isAboutBranch(effect: Effect): boolean {
  if (effect.effect === "verify") return effect.work.of === "merge" || effect.work.of === "rollback";
  return ["merge", "commit", "advance", "revert"].includes(effect.effect);
}

function isVerify(effect: Effect): effect is Extract<Effect, { effect: "verify" }> {
  return effect.effect === "verify";
}

function isAt(step: "turn" | "collect") {
  return (phase: Phase) => "step" in phase && phase.step === step;
}

function isIntegrating(...steps: readonly string[]) {
  return (phase: Phase) => phase.name === "integrating" && steps.includes(phase.step.name);
}

function effectOf(story: Story, isIt: (effect: Effect) => boolean): Effect {
  const { effects } = story.decide();
  const found = effects.find(isIt);
  if (!found)
    throw new Error(`that is not wanted, but ${effects.map(({ key }) => key).join(", ") || "nothing"}`);
  return found;
}

function ended(id: string, how: TurnEnded): StoryStep {
  return (story) => {
    started(id)(story);
    story.tell({ command: "turn-ended", turn: turnOf(story, id).turn, ended: how, spent: { ms: 1000 } });
  };
}

export function collected(id: string, result: ReplyOutcome): StoryStep {
  return (story) => {
    replied(id)(story);
    const { phase } = story.task(id);
    if ("turn" in phase && phase.turn !== undefined)
      story.tell({ command: "collected", turn: phase.turn, result });
  };
}

function audited(id: string, result: ReplyOutcome): StoryStep {
  return (story) => {
    auditing(id)(story);
    collected(id, result)(story);
  };
}

function failVerification(
  story: Story,
  isIt: (effect: Extract<Effect, { effect: "verify" }>) => boolean,
): void {
  const effect = effectOf(story, (one) => isVerify(one) && isIt(one));
  if (!isVerify(effect)) return;
  const { work, tree, commands } = effect;
  const failure = "npm test ended with code 1";
  story.tell({ command: "verified", work, tree, evidence: evidence(commands, 1), failure });
}
