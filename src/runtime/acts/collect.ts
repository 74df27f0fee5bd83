/**
 * Reads the reply of a turn. A developer's operations are carried out at the desk; then everything at the desk, whoever
 * wrote it, is captured and judged by the one policy. After a crash all of this can safely be repeated.
 */
import type { Confirmation } from "../../change/policy/policy.ts";
import type { ReplyOutcome } from "../../kernel/command.ts";
import type { Effect } from "../../kernel/effect.ts";
import type { Finding, RecordedNote } from "../../kernel/event.ts";
import { taskOf } from "../../kernel/rules/tasks.ts";
import { allowanceKey, isWorkAtDesk, type Task, type Turn } from "../../kernel/state.ts";
import type { AuditFinding } from "../../reply/audit.ts";
import { noteMax } from "../../reply/check/bounds.ts";
import { undelivered } from "../../reply/check/claims.ts";
import type { Note } from "../../reply/note/note.ts";
import { readReply } from "../../reply/read.ts";
import { readAudit } from "../../reply/read-audit.ts";
import type { Reply } from "../../reply/reply.ts";
import { assert } from "../../std/assert.ts";
import { present } from "../../std/present.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { auditWords } from "../../view/audit-words.ts";
import { sha256 } from "../../world/files/hash.ts";
import type { ActContext } from "../loop/act-context.ts";
import { captureWork } from "./capture-work.ts";
import { ChangesetRecord } from "./changeset-record.ts";
import { storeHeldChange } from "./held-change.ts";
import { itemsForUser, questionForUser, type UserQuestionOutcome } from "./question-for-user.ts";
import { rulesOf } from "./rules.ts";
import { openDeskOf } from "./turn-desk.ts";

type CollectEffect = Extract<Effect, { effect: "collect" }>;

export async function collect(effect: CollectEffect, context: ActContext): Promise<void> {
  const { state, ports } = context;
  const turn = state.replies.get(effect.turn);
  assert(turn, "a turn that is collected has replied");
  const reply = await ports.archive.find(`turns/${turn.turn}/reply.txt`);
  assert(reply, "a reply was kept before it was recorded");
  // A task that was rolled back in the meantime no longer has a desk.
  if (!state.replies.has(effect.turn)) return;
  if (turn.role === "auditor") {
    const result = collectAudit(taskOf(state, turn.task), turn, reply);
    context.submit({ command: "collected", turn: turn.turn, result });
    return;
  }
  const { allowed } = effect;
  const record = new ChangesetRecord({ rules: rulesOf(state, taskOf(state, turn.task)), allowed });
  const result = await collectWork({ context, turn, reply, allowed, record });
  const facts = record.facts(result);
  context.submit({ command: "collected", turn: turn.turn, result, ...(facts && { record: facts }) });
}

function collectAudit(task: Task, { task: id, fenceTag }: Turn, reply: Uint8Array): ReplyOutcome {
  const { audit, question, rollback, problems } = readAudit(reply, { fence: fenceTag, task: id });
  if (problems.length > 0) return { kind: "refused", problems: problems.map(findingOf) };
  const summary = audit ? oneLine(auditWords(audit), 10_000) : "";
  const asked = questionForUser(task, {
    notes: audit?.notes ?? [],
    ...present({ question, rollback }),
    ...(audit && { status: `${audit.verdict}: ${summary}` }),
  });
  if (asked) return asked;
  if (!audit) return { kind: "refused", problems: [noVerdict] };
  if (audit.verdict === "PASS") return { kind: "pass", summary, ...recordedNotes(audit.notes) };
  if (audit.verdict === "BLOCKED") return { kind: "blocked", reason: summary };
  return { kind: "fail", findings: audit.findings.map(auditFindingOf) };
}

function auditFindingOf({ severity, file, line, problem, fix }: AuditFinding): Finding {
  const where = file === undefined ? {} : { path: line === undefined ? file : `${file}:${line}` };
  const hint = fix === undefined ? {} : { hint: oneLine(fix, 2000) };
  return { code: `AUDIT_${severity.toUpperCase()}`, message: oneLine(problem, 2000), ...hint, ...where };
}

interface CollectInput {
  readonly context: ActContext;
  readonly turn: Turn;
  readonly reply: Uint8Array;
  readonly allowed: readonly string[];
  readonly record: ChangesetRecord;
}

async function collectWork({ context, turn, reply, allowed, record }: CollectInput): Promise<ReplyOutcome> {
  const { state, ports } = context;
  const task = taskOf(state, turn.task);
  const { mode } = ports.crew.member(turn.agent);
  const verdict = readReply(reply, {
    ...{ fence: turn.fenceTag, task: turn.task, desk: mode === "desk" },
    isWorkAtDesk: isWorkAtDesk(task),
  });
  const isIdle = turn.toolUses === 0;
  if (!verdict.reply)
    return { kind: "refused", problems: unreadableProblems(verdict.problems, isIdle).map(findingOf) };
  record.read(verdict.reply);
  const { operations } = verdict.reply;
  const asked = questionForUser(task, itemsForUser(verdict.reply));
  const instead = insteadOfWork(verdict.reply, asked);
  if (instead && operations.length === 0) return instead;

  const isAllowed = allowance(context, task, allowed);
  const desk = await openDeskOf(context, task);
  const carriedOut = operationsDigest(operations);
  if (carriedOut !== task.desk?.carriedOut) {
    const place = { context, turn, task, folder: desk.folder, record };
    const carried = await carryOut(place, verdict.reply, isAllowed);
    if (carried) return carried;
  }
  const captured = await captureWork({ context, task, turn, desk });
  record.captured(captured);
  const deskState = { tree: captured.tree, ...present({ carriedOut }) };
  if (instead) return instead.kind === "question" ? { ...instead, ...deskState } : instead;
  if (captured.refused.length > 0) return { kind: "refused", problems: captured.refused.map(findingOf) };
  const pending = captured.confirmations.filter((one) => !isAllowed(one));
  if (pending.length > 0) {
    await storeHeldChange(ports.archive, turn.turn, captured.held);
    return needsConfirmation(pending);
  }
  const missing = undeliveredFiles(verdict.reply, captured.files);
  if (asked && missing.length === 0) return { ...asked, ...deskState };
  const problemsOfWork = emptyWorkProblems(verdict.reply, { files: captured.files, missing, isIdle });
  if (problemsOfWork.length > 0) return { kind: "refused", problems: problemsOfWork.map(findingOf) };
  return {
    kind: "work",
    tree: captured.tree,
    files: captured.files,
    summary: verdict.reply.summary ?? "",
    outputs: await keepOutputs(context, turn, verdict.reply),
    ...recordedNotes(verdict.reply.notes),
  };
}

/** Signals that a developer sends instead of work. A question comes before giving up. */
function insteadOfWork(
  { signal }: Reply,
  asked: UserQuestionOutcome | undefined,
): UserQuestionOutcome | IncompleteOutcome | undefined {
  switch (signal?.name) {
    case "SEEKING DIVINE CLARIFICATION":
      return asked;
    case "TASK INCOMPLETE":
    case "INFRA BLOCKED":
      return asked ?? { kind: "incomplete", reason: oneLine(signal.text, 2000) };
    default:
      return undefined;
  }
}

type IncompleteOutcome = Extract<ReplyOutcome, { kind: "incomplete" }>;

/** Undefined if there are no operations. */
function operationsDigest(operations: Reply["operations"]): string | undefined {
  return operations.length === 0 ? undefined : sha256(JSON.stringify(operations)).slice(0, 32);
}

/** Notes are shortened, because they are stored in the log and shown to auditors. */
function recordedNotes(notes: readonly Note[]): { readonly notes?: readonly RecordedNote[] } {
  if (notes.length === 0) return {};
  return {
    notes: notes.map(({ description, status, category, resolution }) => ({
      description: oneLine(description, noteMax),
      status,
      ...(category !== undefined && { category: oneLine(category, 100) }),
      ...(resolution !== undefined && { resolution: oneLine(resolution, noteMax) }),
    })),
  };
}

const noVerdict: Finding = {
  code: "AUDIT_NO_VERDICT",
  message: "the user was already asked about the rollback, and the reply contains no verdict",
  hint: "Judge the work: PASS, FAIL or BLOCKED.",
};

type Allowance = (confirmation: Confirmation) => boolean;

/** Allowed by a person for exactly this content, or by a plan that names the path literally, without wildcards. */
function allowance({ state }: ActContext, { facts }: Task, allowed: readonly string[]): Allowance {
  const byPerson = new Set(allowed);
  const isDeclared = state.run?.settings.confirm_sensitive === "declared";
  const literal = new Set(isDeclared ? facts.writes.filter((pattern) => !pattern.includes("*")) : []);
  return (one) => byPerson.has(allowanceKey(one)) || (!beyondWrites.has(one.code) && literal.has(one.path));
}

/** Permission to write a file does not include deleting it, or changing what the task's own work is judged by. */
const beyondWrites = new Set(["CONFIRM_DELETE", "TEST_EMPTIED", "VERIFY_CHANGED"]);

interface CarryOutInput {
  readonly context: ActContext;
  readonly turn: Turn;
  readonly task: Task;
  readonly folder: string;
  readonly record: ChangesetRecord;
}

async function carryOut(
  { context, turn, task, folder, record }: CarryOutInput,
  { operations, summary = "" }: Reply,
  isAllowed: Allowance,
): Promise<ReplyOutcome | undefined> {
  if (operations.length === 0) return undefined;
  const done = await context.ports.workbench.carryOut({
    folder,
    id: turn.turn.replaceAll(".", "-"),
    operations,
    rules: rulesOf(context.state, task),
    about: { summary, specialist: turn.agent, task: turn.task },
    isAllowed,
  });
  record.carriedOut(done);
  if (done.kind === "refused") return { kind: "refused", problems: done.problems.map(findingOf) };
  if (done.kind === "done") return undefined;
  await storeHeldChange(context.ports.archive, turn.turn, done.held);
  return needsConfirmation(done.confirmations);
}

function needsConfirmation(confirmations: readonly Confirmation[]): ReplyOutcome {
  const items = confirmations.map((one) => ({ ...findingOf(one), path: one.path, sha256: one.sha256 }));
  return { kind: "needs-confirmation", digest: sha256(items.map(allowanceKey).join("\n")), items };
}

function undeliveredFiles({ claims }: Reply, files: readonly string[]): Problem[] {
  return claims ? undelivered(claims, files) : [];
}

interface CapturedFiles {
  readonly files: readonly string[];
  /** Files that the reply claims but that are not among these. */
  readonly missing: readonly Problem[];
  /** The agent had tools and used none. */
  readonly isIdle: boolean;
}

/** An agent that reports "done" without any change is asked again. */
function emptyWorkProblems(
  { outputs }: Reply,
  { files, missing, isIdle }: CapturedFiles,
): readonly Problem[] {
  if (files.length > 0) return missing;
  if (isIdle && (missing.length > 0 || outputs.length === 0)) return [usedNoTool, ...missing];
  if (missing.length > 0 || outputs.length > 0) return missing;
  return [
    {
      code: "WORK_EMPTY",
      message: "it changed no files and contains no file operations",
      hint: "Do the task, or say TASK INCOMPLETE with the reason why nothing was changed.",
    },
  ];
}

/** The reply could not be read. If it only describes work, the most useful finding is that no tool was used. */
function unreadableProblems(problems: readonly Problem[], isIdle: boolean): readonly Problem[] {
  const isWords = problems.some(({ code }) => wordsForWork.has(code));
  return isIdle && isWords ? [usedNoTool, ...problems] : problems;
}

const wordsForWork = new Set(["REPLY_CLAIM_ONLY", "REPLY_TOOL_CALL_TEXT"]);

const usedNoTool: Problem = {
  code: "TURN_WITHOUT_TOOLS",
  message: "the agent used none of its tools and nothing was changed, so what the reply says was not done",
  hint: "Use your tools to do the task, answer with operations, or say TASK INCOMPLETE with the reason why nothing was changed.",
};

async function keepOutputs(
  { ports }: ActContext,
  { agent, task }: Turn,
  { outputs }: Reply,
): Promise<string[]> {
  const names: string[] = [];
  for (const { name, content } of outputs) {
    const path = `agents/${agent}/task_output/${task}/${name}`;
    await ports.archive.keep(path, encodeUtf8(content));
    names.push(path);
  }
  return names;
}

function findingOf({ code, message, hint, path, index, field }: Problem): Finding {
  const place = [index === undefined ? "" : `operation ${index + 1}`, field ?? ""].filter(
    (part) => part !== "",
  );
  // Some messages already start with the place.
  const isPlaced = place.length === 0 || message.startsWith("file_operations[");
  const where = isPlaced ? "" : `${place.join(", ")}: `;
  return { code, message: `${where}${message}`, hint, ...(path === undefined ? {} : { path }) };
}
