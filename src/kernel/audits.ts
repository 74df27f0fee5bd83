/**
 * What becomes of work: verified by the coordinator's own commands, then judged by an auditor where the task has one.
 * Only a pass lets it go on to the branch, and only with evidence for its very tree.
 */
import { unreachable } from "../std/assert.ts";
import { sentence } from "../std/sentence.ts";
import type { Admitted, Collected, Outcome } from "./command.ts";
import type { Event, Events, Told } from "./event.ts";
import { giveUp, giveUpAnswer, nextQuestion, retryAnswer } from "./questions.ts";
import { evidenceKey, type OwnState, type State, type Task, type Turn } from "./state.ts";
import { anotherRound, enter, known, own } from "./tasks.ts";
import { admitRefused, takeReply } from "./turns.ts";

type Of<Name extends Outcome["command"]> = Extract<Outcome, { command: Name }>;

export function admitCollected(state: State, { turn: id, result }: Of<"collected">): Admitted {
  const turn = state.replies.get(id);
  if (!turn || !isAwaited(known(state, turn.task), turn)) return { refused: "stale", key: `collect:${id}` };
  if (result.kind === "refused") return admitRefused(state, turn, result);
  return turn.role === "developer" ? developed(state, turn, result) : audited(state, turn, result);
}

function isAwaited({ phase }: Task, { turn }: Turn): boolean {
  return (
    (phase.name === "working" || phase.name === "auditing") && phase.step === "collect" && phase.turn === turn
  );
}

function developed(state: State, turn: Turn, result: Exclude<Collected, { kind: "refused" }>): Admitted {
  const { task: id, agent, attempt } = turn;
  const task = known(state, id);
  switch (result.kind) {
    case "work": {
      const { tree, files, summary, outputs } = result;
      const data = { task: id, attempt, tree, files, summary, outputs };
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

function audited(state: State, turn: Turn, result: Exclude<Collected, { kind: "refused" }>): Admitted {
  const { task: id, agent: by, attempt } = turn;
  const task = known(state, id);
  const tree = task.work?.tree ?? "";
  switch (result.kind) {
    case "pass":
      if (needsVerification(state, task, tree)) return { refused: "no-evidence", task: id, tree };
      return [{ event: "audit_passed", data: { task: id, attempt, by, tree, summary: result.summary } }];
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

/** Whatever reads replies should not let it through; here it must not leave a task that nobody goes on with. */
function outOfRole({ agent, role }: Turn, { kind }: Collected): Told {
  const message = `${agent} is asked as ${role === "developer" ? "a developer" : "an auditor"}, and replied with: ${kind}`;
  const hint = role === "developer" ? "Do the task." : "Judge the work: PASS, FAIL or BLOCKED.";
  return { code: "ROLE_CONFLICT", message, hint };
}

function guidanceSought(
  state: State,
  { task, agent }: Turn,
  { text, options }: Extract<Collected, { kind: "question" }>,
): Event {
  return {
    event: "agent_seeks_guidance",
    data: { question: nextQuestion(state), task, agent, text, options },
  };
}

export function needsVerification(state: State, { facts }: Task, tree: string): boolean {
  return facts.verify.length > 0 && !state.evidence.has(evidenceKey(tree, facts.verify));
}

/** The commands, or the plan's own word that nothing is asked for, decide alone where there is no auditor. */
export function passedWithoutAuditor({ facts, attempt }: Task, tree: string): Event[] {
  if (facts.auditor !== undefined) return [];
  const by = facts.verify.length > 0 ? "verify commands" : "nobody";
  const summary = facts.verify.length > 0 ? "all verify commands passed" : "the plan asks for no audit";
  return [{ event: "audit_passed", data: { task: facts.task, attempt, by, tree, summary } }];
}

export function failed(
  state: State,
  task: Task,
  { by, findings }: { by: string; findings: readonly Told[] },
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

/** What the commands printed is long; a person is told where all of it is. */
function seenBelow(last: string, task: string): string {
  return last.includes("\n") ? `${last}\nAll that was printed: cox why ${task} --output` : last;
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

export function onReadyForAudit(state: OwnState, data: Events["developer_ready_for_audit"]): void {
  const { tree, files, summary, attempt, outputs } = data;
  const task = own(state, data.task);
  const { phase } = task;
  const isRead = phase.name === "working" && phase.step === "collect";
  const author = isRead ? takeReply(state, phase.turn).agent : task.facts.agent;
  task.work = { attempt, author, base: task.desk?.base ?? state.tip, tree, files, summary, passedAt: 0 };
  task.outputs = outputs;
  task.counts.repliesRefused = 0;
  task.feedback = [];
  enter(state, task, { name: "auditing", step: needsVerification(state, task, tree) ? "verify" : "due" });
}

export function onIncomplete(state: OwnState, { task: id, reason }: Events["task_incomplete"]): void {
  const task = own(state, id);
  if (task.phase.name === "working" && task.phase.step === "collect") takeReply(state, task.phase.turn);
  task.counts.roundsFailed += 1;
  const message = `the last attempt was given up: ${reason}`;
  anotherRound(state, task, { feedback: [{ code: "TASK_INCOMPLETE", message }] });
}

export function onAuditPassed(state: OwnState, { task: id }: Events["audit_passed"]): void {
  const task = own(state, id);
  if (task.phase.name === "auditing" && task.phase.step === "collect") takeReply(state, task.phase.turn);
  task.feedback = [];
  if (task.work) task.work.passedAt = state.at;
  state.queue.push({ of: "task", task: id });
  enter(state, task, { name: "integrating", step: { name: "merge" } });
}

export function onAuditFailed(state: OwnState, { task: id, findings }: Events["auditor_fail"]): void {
  const task = own(state, id);
  const { phase } = task;
  if (phase.name === "auditing" && phase.step === "collect") takeReply(state, phase.turn);
  task.counts.auditsFailed += 1;
  task.counts.roundsFailed += 1;
  const merged = phase.name === "integrating" && phase.step.name === "verify" ? phase.step : undefined;
  if (phase.name === "integrating") dequeue(state, id);
  const desk = merged && { base: merged.onto, tree: merged.tree, keep: false };
  anotherRound(state, task, { feedback: findings, desk });
}

export function onBlocked(state: OwnState, { task: id }: Events["auditor_blocked"]): void {
  const task = own(state, id);
  if (task.phase.name === "auditing" && task.phase.step === "collect") takeReply(state, task.phase.turn);
}

export function dequeue(state: OwnState, id: Task["facts"]["task"]): void {
  state.queue = state.queue.filter((work) => work.of !== "task" || work.task !== id);
}
