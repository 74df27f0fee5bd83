/**
 * What happens to finished work: the coordinator's own commands verify it, then an auditor judges it if the task has
 * one. Only a pass lets it continue to the branch, and only with evidence for exactly its tree.
 */
import { unreachable } from "../../../std/assert.ts";
import { noTree, type TreeId } from "../../../std/object-id.ts";
import { sentence } from "../../../std/printable.ts";
import type { Admitted, EffectOutcome, ReplyOutcome } from "../../command.ts";
import type { Event, Events, Finding } from "../../event.ts";
import { evidenceKey, type MutableState, type State, type Task, type Turn } from "../../state.ts";
import { giveUp, giveUpAnswer, nextQuestion, retryAnswer } from "../questions.ts";
import { anotherRound, enter, mutableTask, taskOf } from "../tasks.ts";
import { withRecord } from "../turn/reply-record.ts";
import { admitRefused, takeReply } from "../turn/turns.ts";

type Of<Name extends EffectOutcome["command"]> = Extract<EffectOutcome, { command: Name }>;

export function admitCollected(state: State, { turn: id, result, record }: Of<"collected">): Admitted {
  const turn = state.replies.get(id);
  if (!turn || !isAwaited(taskOf(state, turn.task), turn)) return { refused: "stale", key: `collect:${id}` };
  if (turn.role === "auditor" && result.kind !== "refused") return audited(state, turn, result);
  const admitted =
    result.kind === "refused" ? admitRefused(state, turn, result) : developed(state, turn, result);
  return "refused" in admitted ? admitted : withRecord(turn, admitted, record);
}

function isAwaited({ phase }: Task, { turn }: Turn): boolean {
  return (
    (phase.name === "working" || phase.name === "auditing") && phase.step === "collect" && phase.turn === turn
  );
}

function developed(state: State, turn: Turn, result: Exclude<ReplyOutcome, { kind: "refused" }>): Admitted {
  const { task: id, agent, attempt } = turn;
  const task = taskOf(state, id);
  switch (result.kind) {
    case "work": {
      const { tree, files, summary, outputs, notes } = result;
      const data = { task: id, attempt, tree, files, summary, outputs, ...(notes ? { notes } : {}) };
      return [
        { event: "developer_ready_for_audit", data },
        ...(needsVerification(state, task, tree) ? [] : passedWithoutAuditor(task, tree)),
      ];
    }
    case "needs-confirmation": {
      const { digest, items } = result;
      const question = nextQuestion(state);
      return [
        {
          event: "confirmation_requested",
          data: { question, task: id, turn: turn.turn, digest, items },
        },
      ];
    }
    case "question":
      return [guidanceSought(state, turn, result)];
    case "incomplete": {
      const { reason } = result;
      const given = { event: "task_incomplete", data: { task: id, attempt, reason } } as const;
      return [given, ...whenTooManyRounds(state, task, `${agent} gave up: ${reason}`)];
    }
    case "pass":
    case "fail":
    case "blocked":
      return admitRefused(state, turn, { kind: "refused", problems: [outOfRole(turn, result)] });
    default:
      return unreachable(result);
  }
}

function audited(state: State, turn: Turn, result: Exclude<ReplyOutcome, { kind: "refused" }>): Admitted {
  const { task: id, agent: by, attempt } = turn;
  const task = taskOf(state, id);
  const tree = task.work?.tree ?? noTree;
  switch (result.kind) {
    case "pass":
      if (needsVerification(state, task, tree)) return { refused: "no-evidence", task: id, tree };
      return [
        {
          event: "audit_passed",
          data: {
            ...{ task: id, attempt, by, tree, summary: result.summary },
            ...(result.notes ? { notes: result.notes } : {}),
          },
        },
      ];
    case "fail":
      return failed(state, task, { by, findings: result.findings });
    case "blocked": {
      const { reason } = result;
      const question = nextQuestion(state);
      const text = `${by} cannot judge the task: ${sentence(reason)} What should be done before it is audited again?`;
      return [
        { event: "auditor_blocked", data: { task: id, attempt, by, reason } },
        {
          event: "question_asked",
          data: { question, task: id, text, options: [retryAnswer, giveUpAnswer] },
        },
      ];
    }
    case "question":
      return [guidanceSought(state, turn, result)];
    case "work":
    case "incomplete":
    case "needs-confirmation":
      return admitRefused(state, turn, { kind: "refused", problems: [outOfRole(turn, result)] });
    default:
      return unreachable(result);
  }
}

/** The reply reader should not let this through; if it does, the task must not be left stuck. */
function outOfRole({ agent, role }: Turn, { kind }: ReplyOutcome): Finding {
  const message = `${agent} was asked as ${role === "developer" ? "a developer" : "an auditor"}, but replied with: ${kind}`;
  const hint = role === "developer" ? "Do the task." : "Judge the work: PASS, FAIL or BLOCKED.";
  return { code: "ROLE_CONFLICT", message, hint };
}

function guidanceSought(
  state: State,
  { task, agent }: Turn,
  { text, options, settles, tree, carriedOut }: Extract<ReplyOutcome, { kind: "question" }>,
): Event {
  return {
    event: "agent_seeks_guidance",
    data: {
      ...{ question: nextQuestion(state), task, agent, text, options },
      ...(settles === undefined ? {} : { settles }),
      ...(tree === undefined ? {} : { tree }),
      ...(carriedOut === undefined ? {} : { carried_out: carriedOut }),
    },
  };
}

export function needsVerification(state: State, { facts }: Task, tree: TreeId): boolean {
  return facts.verify.length > 0 && !state.evidence.has(evidenceKey(tree, facts.verify));
}

/** Without an auditor, the commands decide alone, or the plan's statement that nothing is required. */
export function passedWithoutAuditor({ facts, attempt }: Task, tree: TreeId): Event[] {
  if (facts.auditor !== undefined) return [];
  const by = facts.verify.length > 0 ? "verify commands" : "nobody";
  const summary = facts.verify.length > 0 ? "all verify commands passed" : "the plan asks for no audit";
  return [{ event: "audit_passed", data: { task: facts.task, attempt, by, tree, summary } }];
}

export function failed(
  state: State,
  task: Task,
  { by, findings }: { by: string; findings: readonly Finding[] },
): Event[] {
  const { facts, attempt } = task;
  const [first] = findings;
  const last = first?.message ?? "no reason was given";
  return [
    { event: "auditor_fail", data: { task: facts.task, attempt, by, findings } },
    ...whenTooManyRounds(
      state,
      task,
      first?.code.startsWith("VERIFY_") ? seenBelow(last, facts.task) : `${by} did not pass it: ${last}`,
    ),
  ];
}

/** The output of the commands is long, so a person is told where to find all of it. */
function seenBelow(last: string, task: string): string {
  return last.includes("\n") ? `${last}\nFull output: cox why ${task} --output` : last;
}

export function whenTooManyRounds(state: State, task: Task, last: string): Event[] {
  const limit = task.facts.attempts ?? state.run?.settings.audit_attempts ?? 0;
  const rounds = task.counts.roundsFailed + 1;
  return rounds < limit
    ? []
    : giveUp(
        state,
        task,
        `${rounds === 1 ? "1 attempt was" : `${rounds} attempts were`} not good enough; the last: ${last}`,
      );
}

export function onReadyForAudit(state: MutableState, data: Events["developer_ready_for_audit"]): void {
  const { tree, files, summary, attempt, outputs, notes = [] } = data;
  const task = mutableTask(state, data.task);
  const { phase } = task;
  const isRead = phase.name === "working" && phase.step === "collect";
  const author = isRead ? takeReply(state, phase.turn).agent : task.facts.agent;
  const base = task.desk?.base ?? state.tip;
  task.work = { attempt, author, base, tree, files, summary, notes, passedAt: 0 };
  if (task.desk) delete task.desk.carriedOut;
  task.outputs = outputs;
  task.counts.repliesRefused = 0;
  task.feedback = [];
  enter(state, task, { name: "auditing", step: needsVerification(state, task, tree) ? "verify" : "due" });
}

export function onIncomplete(state: MutableState, { task: id, reason }: Events["task_incomplete"]): void {
  const task = mutableTask(state, id);
  if (task.phase.name === "working" && task.phase.step === "collect") takeReply(state, task.phase.turn);
  task.counts.roundsFailed += 1;
  const message = `the agent gave up the last attempt: ${reason}`;
  anotherRound(state, task, { feedback: [{ code: "TASK_INCOMPLETE", message }] });
}

export function onAuditPassed(state: MutableState, { task: id, notes = [] }: Events["audit_passed"]): void {
  const task = mutableTask(state, id);
  if (task.phase.name === "auditing" && task.phase.step === "collect") takeReply(state, task.phase.turn);
  task.feedback = [];
  if (task.work) task.work = { ...task.work, passedAt: state.at, notes: [...task.work.notes, ...notes] };
  state.queue.push({ of: "task", task: id });
  enter(state, task, { name: "integrating", step: { name: "merge" } });
}

export function onAuditFailed(state: MutableState, { task: id, findings }: Events["auditor_fail"]): void {
  const task = mutableTask(state, id);
  const { phase } = task;
  if (phase.name === "auditing" && phase.step === "collect") takeReply(state, phase.turn);
  task.counts.auditsFailed += 1;
  task.counts.roundsFailed += 1;
  const merged = phase.name === "integrating" && phase.step.name === "verify" ? phase.step : undefined;
  if (phase.name === "integrating") dequeue(state, id);
  const desk = merged && { base: merged.onto, tree: merged.tree, keep: false };
  anotherRound(state, task, { feedback: findings, desk });
}

export function onBlocked(state: MutableState, { task: id }: Events["auditor_blocked"]): void {
  const task = mutableTask(state, id);
  if (task.phase.name === "auditing" && task.phase.step === "collect") takeReply(state, task.phase.turn);
}

export function dequeue(state: MutableState, id: Task["facts"]["task"]): void {
  state.queue = state.queue.filter((work) => work.of !== "task" || work.task !== id);
}
