/**
 * The act of reading what a turn replied. A developer's operations are carried out at the desk; then whatever stands there,
 * by whoever's hand, is captured and judged by the one policy. Nothing of it is repeated harmfully after a crash.
 */
import type { Confirmation } from "../change/policy.ts";
import type { Collected } from "../kernel/command.ts";
import type { Effect } from "../kernel/effect.ts";
import type { Told } from "../kernel/event.ts";
import { allowanceKey, type Task, type Turn } from "../kernel/state.ts";
import { known } from "../kernel/tasks.ts";
import type { AuditFinding } from "../reply/audit.ts";
import { undelivered } from "../reply/claims.ts";
import { readReply } from "../reply/read.ts";
import { readAudit } from "../reply/read-audit.ts";
import type { Reply } from "../reply/reply.ts";
import { assert } from "../std/assert.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { sha256 } from "../world/hash.ts";
import type { Bridge } from "./bridge.ts";
import { captureWork } from "./capture-work.ts";
import { keepHeld } from "./held-change.ts";
import { rulesOf } from "./rules.ts";
import { openDeskOf } from "./turn-desk.ts";

type Collecting = Extract<Effect, { effect: "collect" }>;

export async function collect(effect: Collecting, bridge: Bridge): Promise<void> {
  const { state, hands } = bridge;
  const turn = state.replies.get(effect.turn);
  assert(turn, "a turn that is collected has replied");
  const reply = await hands.archive.find(`turns/${turn.turn}/reply.txt`);
  assert(reply, "a reply was kept before it was recorded");
  // Somebody who is taken back meanwhile has no desk any more.
  if (!state.replies.has(effect.turn)) return;
  const result =
    turn.role === "developer"
      ? await collectWork({ bridge, turn, reply, allowed: effect.allowed })
      : collectAudit(turn, reply);
  bridge.submit({ command: "collected", turn: turn.turn, result });
}

function collectAudit({ task, fenceTag }: Turn, reply: Uint8Array): Collected {
  const { audit, problems } = readAudit(reply, { fence: fenceTag, task });
  if (!audit) return { kind: "refused", problems: problems.map(told) };
  const summary = oneLine(audit.summary, 2000);
  if (audit.verdict === "PASS") return { kind: "pass", summary };
  if (audit.verdict === "BLOCKED") return { kind: "blocked", reason: summary };
  return { kind: "fail", findings: audit.findings.map(finding) };
}

function finding({ severity, file, line, problem, fix }: AuditFinding): Told {
  const where = file === undefined ? {} : { path: line === undefined ? file : `${file}:${line}` };
  const hint = fix === undefined ? {} : { hint: oneLine(fix, 2000) };
  return { code: `AUDIT_${severity.toUpperCase()}`, message: oneLine(problem, 2000), ...hint, ...where };
}

interface Collection {
  readonly bridge: Bridge;
  readonly turn: Turn;
  readonly reply: Uint8Array;
  readonly allowed: readonly string[];
}

async function collectWork({ bridge, turn, reply, allowed }: Collection): Promise<Collected> {
  const { state, hands } = bridge;
  const task = known(state, turn.task);
  const { way } = hands.crew.member(turn.agent);
  const verdict = readReply(reply, { fence: turn.fenceTag, task: turn.task, desk: way === "desk" });
  if (!verdict.reply) return { kind: "refused", problems: verdict.problems.map(told) };
  const aside = setAside(verdict.reply);
  if (aside) return aside;

  const isAllowed = allowance(bridge, task, allowed);
  const desk = await openDeskOf(bridge, task);
  const carried = await carryOut({ bridge, turn, task, folder: desk.folder }, verdict.reply, isAllowed);
  if (carried) return carried;

  const captured = await captureWork({ bridge, task, turn, desk });
  if (captured.refused.length > 0) return { kind: "refused", problems: captured.refused.map(told) };
  const pending = captured.confirmations.filter((one) => !isAllowed(one));
  if (pending.length > 0) {
    await keepHeld(hands.archive, turn.turn, captured.held);
    return needsConfirmation(pending);
  }
  const empty = emptyHanded(verdict.reply, captured.files);
  if (empty.length > 0) return { kind: "refused", problems: empty.map(told) };
  return {
    kind: "work",
    tree: captured.tree,
    files: captured.files,
    summary: verdict.reply.summary ?? "",
    outputs: await keepOutputs(bridge, turn, verdict.reply),
  };
}

/** What a developer says instead of handing in work. */
function setAside({ signal }: Reply): Collected | undefined {
  switch (signal?.name) {
    case "SEEKING DIVINE CLARIFICATION": {
      const { text, options = [], why } = signal.question;
      const because = why === undefined ? "" : ` (${oneLine(why, 1000)})`;
      return { kind: "question", text: `${oneLine(text, 2000)}${because}`, options: [...options] };
    }
    case "TASK INCOMPLETE":
    case "INFRA BLOCKED":
      return { kind: "incomplete", reason: oneLine(signal.text, 2000) };
    default:
      return undefined;
  }
}

type Allowance = (confirmation: Confirmation) => boolean;

/** By a person for exactly this content, or by the plan, which names the path in so many words. */
function allowance({ state }: Bridge, { facts }: Task, allowed: readonly string[]): Allowance {
  const byPerson = new Set(allowed);
  const isDeclared = state.run?.settings.confirm_sensitive === "declared";
  const literal = new Set(isDeclared ? facts.writes.filter((pattern) => !pattern.includes("*")) : []);
  return (one) => byPerson.has(allowanceKey(one)) || (!beyondWrites.has(one.code) && literal.has(one.path));
}

/** To let a task write a file is not to let it remove it, or decide what its own work is judged by. */
const beyondWrites = new Set(["CONFIRM_DELETE", "TEST_EMPTIED", "VERIFY_CHANGED"]);

async function carryOut(
  { bridge, turn, task, folder }: { bridge: Bridge; turn: Turn; task: Task; folder: string },
  { operations, summary = "" }: Reply,
  isAllowed: Allowance,
): Promise<Collected | undefined> {
  if (operations.length === 0) return undefined;
  const done = await bridge.hands.workbench.carryOut({
    folder,
    id: turn.turn.replaceAll(".", "-"),
    operations,
    rules: rulesOf(bridge.state, task),
    about: { summary, specialist: turn.agent, task: turn.task },
    isAllowed,
  });
  if (done.kind === "refused") return { kind: "refused", problems: done.problems.map(told) };
  if (done.kind === "done") return undefined;
  await keepHeld(bridge.hands.archive, turn.turn, done.held);
  return needsConfirmation(done.confirmations);
}

function needsConfirmation(confirmations: readonly Confirmation[]): Collected {
  const items = confirmations.map((one) => ({ ...told(one), path: one.path, sha256: one.sha256 }));
  return { kind: "needs-confirmation", digest: sha256(items.map(allowanceKey).join("\n")), items };
}

/** An agent that says "done" when nothing is there is asked again. */
function emptyHanded({ claims, outputs }: Reply, files: readonly string[]): Problem[] {
  const missing = claims ? undelivered(claims, files) : [];
  if (missing.length > 0 || files.length > 0 || outputs.length > 0) return missing;
  return [
    {
      code: "WORK_EMPTY",
      message: "nothing was changed at the desk, and the reply has no operations",
      hint: "Do the task, or say TASK INCOMPLETE with the reason why nothing was changed.",
    },
  ];
}

async function keepOutputs({ hands }: Bridge, { agent, task }: Turn, { outputs }: Reply): Promise<string[]> {
  const names: string[] = [];
  for (const { name, content } of outputs) {
    const path = `agents/${agent}/task_output/${task}/${name}`;
    await hands.archive.keep(path, encodeUtf8(content));
    names.push(path);
  }
  return names;
}

function told({ code, message, hint, path, index, field }: Problem): Told {
  const place = [index === undefined ? "" : `operation ${index + 1}`, field ?? ""].filter(
    (part) => part !== "",
  );
  // Some messages begin with the place themselves.
  const isPlaced = place.length === 0 || message.startsWith("file_operations[");
  const where = isPlaced ? "" : `${place.join(", ")}: `;
  return { code, message: `${where}${message}`, hint, ...(path === undefined ? {} : { path }) };
}
