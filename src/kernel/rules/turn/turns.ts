/**
 * Turns: an agent at work, from its dispatch to its end. The counters here are the agent's own failures. Its work is
 * judged elsewhere, and a turn that we lost ourselves counts against nobody.
 */
import type { TaskId } from "../../../plan/plan.ts";
import { assert } from "../../../std/assert.ts";
import type { Admitted, EffectOutcome, ReplyOutcome } from "../../command.ts";
import type { Event, Events, Finding, TurnId } from "../../event.ts";
import {
  isInTrouble,
  type MutableState,
  type MutableTask,
  type MutableTurn,
  type State,
  type Task,
  type Turn,
} from "../../state.ts";
import { availabilityAfter, onReplied } from "../agent/availability.ts";
import {
  consequenceOf,
  deskFailed,
  foreignWrite,
  isCounted,
  isNotTheTasksFault,
  tooLong,
  turnLost,
} from "../agent/consequence.ts";
import * as conversation from "../agent/conversation.ts";
import { giveUp } from "../questions.ts";
import { spend } from "../run/budget.ts";
import { enter, mutableTask, taskOf } from "../tasks.ts";

export function isAtWork(state: State, id: TaskId): boolean {
  for (const turn of state.turns.values()) if (turn.task === id) return true;
  return false;
}

type Of<Name extends EffectOutcome["command"]> = Extract<EffectOutcome, { command: Name }>;

export function admitTurnStarted(state: State, { turn, pid, started }: Of<"turn-started">): Admitted {
  if (!state.turns.has(turn)) return { refused: "stale", key: `turn:${turn}` };
  return [{ event: "agent_started", data: { turn, pid, started } }];
}

export function admitCheckpoint(state: State, command: Of<"turn-checkpoint">): Admitted {
  const turn = state.turns.get(command.turn);
  if (!turn || turn.unwanted !== undefined) return { refused: "stale", key: `turn:${command.turn}` };
  const said = { text: command.text, ...(command.tree === undefined ? {} : { tree: command.tree }) };
  const checkpoint: Event = { event: "agent_checkpoint", data: { turn: turn.turn, ...said } };
  if (turn.role !== "developer") return [checkpoint];
  return [checkpoint, { event: "developer_checkpoint", data: { task: turn.task, ...said } }];
}

export function admitOutsideChanged(state: State, { turn: id, items }: Of<"outside-changed">): Admitted {
  const turn = state.turns.get(id);
  if (!turn) return { refused: "stale", key: `turn:${id}` };
  return [{ event: "outside_changed", data: { turn: id, task: turn.task, items } }];
}

export function admitTurnEnded(state: State, { turn: id, ended, spent }: Of<"turn-ended">): Admitted {
  const turn = state.turns.get(id);
  if (!turn) return { refused: "stale", key: `turn:${id}` };
  if (turn.unwanted !== undefined)
    return [{ event: "agent_cancelled", data: { turn: id, reason: turn.unwanted, spent } }];
  switch (ended.how) {
    case "replied":
      return [
        {
          event: "agent_complete",
          data: {
            turn: id,
            reply_sha256: ended.replySha256,
            spent,
            ...sessionOf(ended),
            ...(ended.toolUses === undefined ? {} : { tool_uses: ended.toolUses }),
          },
        },
      ];
    case "cancelled":
      return [{ event: "agent_cancelled", data: { turn: id, reason: ended.reason, spent } }];
    case "timed-out": {
      const { limit, afterMs, lastLine } = ended;
      const data = { turn: id, limit, after_ms: afterMs, last_line: lastLine, spent, ...sessionOf(ended) };
      return [
        { event: "agent_timeout", data },
        ...whenTooMany(state, turn, timeoutWords(turn, limit, afterMs)),
      ];
    }
    case "crashed": {
      const { code, message, lastLine } = ended;
      const crashed: Event = {
        event: "agent_crashed",
        data: { turn: id, code, message, last_line: lastLine, spent, ...sessionOf(ended) },
      };
      // A full disk is full for everyone: the first failure pauses the run, and the others add nothing.
      if (code === deskFailed && isInTrouble(state)) return [crashed];
      if (code === deskFailed)
        return [crashed, { event: "run_paused", data: { reason: "trouble", detail: message } }];
      const events = [crashed, ...availabilityAfter(state, turn.agent, ended)];
      if (!isCounted(code, turn)) return events;
      const how = isNotTheTasksFault(code) ? "came to nothing" : "ended without a reply";
      return [...events, ...whenTooMany(state, turn, message, how)];
    }
  }
}

function sessionOf({ session }: { readonly session?: string }): { readonly session?: string } {
  return session === undefined ? {} : { session };
}

function timeoutWords(turn: Turn, limit: "wall" | "stall", afterMs: number): string {
  const seconds = Math.round(afterMs / 1000);
  return limit === "stall"
    ? `${turn.agent} was silent for ${seconds} s`
    : `${turn.agent} did not finish within ${seconds} s`;
}

function whenTooMany(state: State, turn: Turn, last: string, how = "ended without a reply"): Event[] {
  const task = taskOf(state, turn.task);
  const limit = state.run?.settings.turn_attempts ?? 0;
  const lost = (turn.role === "developer" ? task.counts.turnsLost : task.counts.auditTurnsLost) + 1;
  if (lost < limit) return [];
  return giveUp(
    state,
    task,
    `${lost === 1 ? "1 turn" : `${lost} turns in a row`} ${how}; the last one: ${last}`,
  );
}

/** A reply that cannot be used: the agent is asked again, until `reply_attempts` replies in a row were refused. */
export function admitRefused(
  state: State,
  turn: Turn,
  { problems }: Extract<ReplyOutcome, { kind: "refused" }>,
): Admitted {
  const task = taskOf(state, turn.task);
  const refused: Event = { event: "reply_refused", data: { task: turn.task, turn: turn.turn, problems } };
  const limit = state.run?.settings.reply_attempts ?? 0;
  const count = task.counts.repliesRefused + 1;
  if (count < limit) return [refused];
  const last = `${problems[0]?.message ?? "no reason"}${adviceFor(state, problems)}`;
  return [
    refused,
    ...giveUp(
      state,
      task,
      `${count === 1 ? "1 reply was" : `${count} replies in a row were`} rejected; the last one: ${last}`,
    ),
  ];
}

/** What only a person can do about it. They are asked when nothing else helps. */
function adviceFor({ run }: State, problems: readonly Finding[]): string {
  if (!problems.some(({ code }) => code === "CLAIM_VIOLATION")) return "";
  return `\nTo allow it, add the path to Writes of this task in ${run?.plan_file ?? "the plan"} and start a new run: this one keeps the plan as you approved it. Or say how to do the task without it.`;
}

/** When a run is opened: ends the turns that no process works at any more. Only the run's writer may do this. */
export function lostTurns(state: State): Event[] {
  return [...state.turns.values()].map(({ turn, unwanted, since }) => {
    const spent = { ms: Math.max(0, state.time - since) };
    if (unwanted !== undefined)
      return { event: "agent_cancelled", data: { turn, reason: unwanted, spent } } as const;
    const message = "the coordinator ended while the agent was working";
    return {
      event: "agent_crashed",
      data: { turn, code: turnLost, message, last_line: "", spent },
    } as const;
  });
}

export function onDispatched(state: MutableState, data: Events["agent_dispatched"]): void {
  const task = mutableTask(state, data.task);
  const isDeveloper = data.role === "developer";
  if (isDeveloper) task.turnsOfAttempt += 1;
  else task.auditTurnsOfAttempt += 1;
  task.hasReservation = true;
  conversation.onBegun(task, { role: data.role, resumes: data.resumes });
  state.turns.set(data.turn, {
    turn: data.turn,
    task: data.task,
    role: data.role,
    agent: data.agent,
    attempt: data.attempt,
    fenceTag: data.fence_tag,
    timeoutMs: data.timeout_ms,
    stallMs: data.stall_ms,
    resumes: data.resumes,
    deletesLogged: [],
    since: state.time,
    process: undefined,
    checkpoints: 0,
    checkpoint: undefined,
    unwanted: undefined,
    toolUses: undefined,
  });
  enter(state, task, { name: isDeveloper ? "working" : "auditing", step: "turn", turn: data.turn });
}

export function onDeveloperDispatched(state: MutableState, data: Events["developer_dispatched"]): void {
  const task = mutableTask(state, data.task);
  task.desk ??= { base: data.base, tree: state.tipTree, keep: false };
}

export function onCheckpoint(state: MutableState, { turn: id, text }: Events["agent_checkpoint"]): void {
  const turn = ofState(state, id);
  turn.checkpoint = text;
  turn.checkpoints += 1;
}

export function onComplete(state: MutableState, data: Events["agent_complete"]): void {
  const { turn: id, spent, session, tool_uses } = data;
  const turn = end(state, id, spent);
  turn.toolUses = tool_uses;
  const task = mutableTask(state, turn.task);
  conversation.onOver(task, turn, { session });
  onReplied(state, turn.agent);
  state.replies.set(id, turn);
  task.counts[turn.role === "developer" ? "turnsLost" : "auditTurnsLost"] = 0;
  enter(state, task, {
    name: turn.role === "developer" ? "working" : "auditing",
    step: "collect",
    turn: id,
  });
}

/** The turn ended without a reply. What it left at its desk usually stays there for the next one. */
export function onLost(
  state: MutableState,
  data: Events["agent_timeout"] | Events["agent_crashed"] | Events["agent_cancelled"],
): void {
  const turn = end(state, data.turn, data.spent);
  const task = mutableTask(state, turn.task);
  if (task.phase.name !== "working" && task.phase.name !== "auditing") return;
  if (task.phase.step !== "turn" || task.phase.turn !== data.turn) return;
  if (!("reason" in data)) {
    const code = "code" in data ? data.code : data.limit;
    conversation.onOver(task, turn, { session: data.session, code });
    if ("message" in data) findUnfit(task, turn, data);
  }
  const counts = !("reason" in data) && (!("code" in data) || isCounted(data.code, turn));
  if (turn.role === "auditor") {
    if (counts) task.counts.auditTurnsLost += 1;
    enter(state, task, { name: "auditing", step: "due" });
    return;
  }
  if (counts) task.counts.turnsLost += 1;
  const isTaken = !("code" in data && isNotTheTasksFault(data.code));
  if (task.desk) task.desk = { ...task.desk, keep: isTaken };
  if ("code" in data && data.code === foreignWrite) task.feedback = withFeedback(task.feedback, data.message);
  enter(state, task, { name: "working", step: "due" });
}

/** A conversation that grew too long says nothing about the task: it is tried once more in a new conversation. */
function findUnfit(
  task: MutableTask,
  { role, agent, resumes }: MutableTurn,
  { code, message }: Events["agent_crashed"],
): void {
  if (!consequenceOf(code).isUnfit || (code === tooLong && resumes !== undefined)) return;
  task.unfitAgents.push({ role, agent, message });
}

/** Earlier findings still need fixing, because the desk is back to what it was then. */
function withFeedback(feedback: readonly Finding[], message: string): Finding[] {
  const hint = "Change only files in your working folder; the work of your last turn was discarded.";
  return [...feedback.filter(({ code }) => code !== foreignWrite), { code: foreignWrite, message, hint }];
}

/** Nobody reads more of them; the log has them all. */
const outsideMax = 50;

export function onOutsideChanged(
  state: MutableState,
  { turn, task, items }: Events["outside_changed"],
): void {
  const { agent } = ofState(state, turn);
  const { outside } = state;
  outside.count += items.length;
  outside.items = [...outside.items, ...items.map((finding) => ({ task, agent, finding }))].slice(
    -outsideMax,
  );
}

export function onRefused(state: MutableState, { turn: id, problems }: Events["reply_refused"]): void {
  const turn = takeReply(state, id);
  const task = mutableTask(state, turn.task);
  task.counts.repliesRefused += 1;
  task.feedback = problems;
  if (turn.role === "auditor") {
    enter(state, task, { name: "auditing", step: "due" });
    return;
  }
  if (task.desk) task.desk = { ...task.desk, keep: true };
  enter(state, task, { name: "working", step: "due" });
}

/** Half-finished work is worth keeping. If the desk is lost, the next turn starts from the captured tree. */
export function onDeveloperCheckpoint(state: MutableState, data: Events["developer_checkpoint"]): void {
  const task = mutableTask(state, data.task);
  task.checkpoint = data.text;
  if (task.desk && data.tree !== undefined) task.desk = { ...task.desk, tree: data.tree };
}

/** The reply has been read and need not be read again. */
export function takeReply(state: MutableState, id: TurnId): MutableTurn {
  const turn = state.replies.get(id);
  assert(turn, `the turn ${id} has a reply`);
  state.replies.delete(id);
  return turn;
}

/** Marks the work of this task's agent as no longer wanted. */
export function unwant(state: MutableState, task: Task, reason: string): void {
  for (const turn of state.turns.values()) if (turn.task === task.facts.task) turn.unwanted ??= reason;
  for (const turn of state.replies.values())
    if (turn.task === task.facts.task) state.replies.delete(turn.turn);
}

function end(state: MutableState, id: TurnId, spent: Events["agent_complete"]["spent"]): MutableTurn {
  const turn = ofState(state, id);
  state.turns.delete(id);
  spend(state, turn.task, spent);
  return turn;
}

export function ofState(state: MutableState, id: TurnId): MutableTurn {
  const turn = state.turns.get(id);
  assert(turn, `the turn ${id} is under way`);
  return turn;
}
