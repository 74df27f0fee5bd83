/** Runs one turn: opens a desk, builds the prompt, starts the agent, and stores its reply durably before reporting it. */
import type { SignOfLife, TurnOutcome } from "../../driver/driver.ts";
import type { WorkMode } from "../../driver/work-modes.ts";
import type { Desk } from "../../git/repository.ts";
import type { TurnEnded } from "../../kernel/command.ts";
import type { Effect } from "../../kernel/effect.ts";
import type { TurnSpending } from "../../kernel/event.ts";
import { unspentTurn } from "../../kernel/rules/run/known-cost.ts";
import { taskOf } from "../../kernel/rules/tasks.ts";
import { isWorkAtDesk, type Turn } from "../../kernel/state.ts";
import { handedInLine } from "../../reply/handed-in.ts";
import { assert } from "../../std/assert.ts";
import { present } from "../../std/present.ts";
import { oneLine } from "../../std/printable.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { sha256 } from "../../world/files/hash.ts";
import { takeSnapshots } from "../folder/snapshots.ts";
import { openTranscript } from "../folder/transcript.ts";
import type { ActContext, Cancellation } from "../loop/act-context.ts";
import { Supervision } from "../loop/supervision.ts";
import { endTurnWatch, startTurnWatch } from "../loop/turn-watch.ts";
import { openedPlaces, readOnlyPlaces } from "../start/opened-places.ts";
import { guardDesk } from "./guard-desk.ts";
import { withHandedIn } from "./handed-in-reply.ts";
import { promptFor } from "./prompt.ts";
import { rulesOf } from "./rules.ts";
import { serverOfTurn } from "./served-turn.ts";
import { spentOf } from "./spent-of.ts";
import { openTurnDesk, runOf } from "./turn-desk.ts";

export async function runTurn(
  effect: Extract<Effect, { effect: "turn" }>,
  context: ActContext,
  cancellation: Cancellation,
): Promise<void> {
  const { state, ports } = context;
  const turn = state.turns.get(effect.turn);
  assert(turn, "a turn that is to be run was dispatched");
  const task = taskOf(state, turn.task);
  // The task may be rolled back while its turn is being prepared; an auditor judges the work as it was at this point.
  const { work } = task;
  const desk = await openTurnDesk(context, task, turn.role);
  const { driver, mode, prices } = ports.crew.member(turn.agent);
  // A different driver version may no longer support resuming.
  const resume = driver.canResume ? turn.resumes : undefined;
  const prompt = await promptFor({ context, task, work, turn, desk, isResumed: resume !== undefined });
  await ports.archive.keep(`turns/${turn.turn}/prompt.md`, encodeUtf8(prompt));
  if (cancellation.isCancelled) {
    endTurn(context, turn, { how: "cancelled", reason: "it was ended before it started" }, unspentTurn);
    return;
  }
  const scratch = `${desk.folder}.scratch`;
  await ports.scratch.open(scratch);
  const undoDeskChanges = ports.outsideWatcher.isNeeded()
    ? await guardDesk(context, { turn, desk, mode })
    : undefined;
  // The last step before the agent starts, so that changes others made earlier are not blamed on it.
  const watch = await startTurnWatch(context, turn);
  const isWatched = watch !== undefined;
  const invoked = await invokeAgent(context, {
    turn,
    desk,
    scratch,
    prompt,
    resume,
    cancellation,
    isWatched,
  });
  const { exceeded, ms, transcript } = invoked;
  await undoDeskChanges?.();
  const handedIn = { turn, mode, isWorkAtDesk: isWorkAtDesk(task), desk: desk.folder, scratch };
  const outcome = await withHandedIn(ports, { ...handedIn, outcome: invoked.outcome });
  await keepOutcome(context, turn, outcome);
  reportMisconduct(context, turn, [...outcome.misconduct, ...asMisconduct(ports.scratch.refusals(scratch))]);
  await ports.scratch.close(scratch);
  const isResumable = driver.canResume && outcome.session !== undefined;
  const session = isResumable ? { session: oneLine(outcome.session, 500) } : {};
  const end = { ...endOf(outcome, { exceeded, ms, now: ports.clock.now() }), ...session };
  const ended = await endTurnWatch(context, watch, { outcome, ended: end });
  for (const { code, message } of outcome.misconduct) transcript.say(`${code}: ${message}`);
  transcript.end(endWords(ended));
  endTurn(context, turn, ended, spentOf({ ms, usage: outcome.usage, prices }));
}

/** Stored durably before anything is reported. */
async function keepOutcome(
  { ports: { archive } }: ActContext,
  { turn }: Turn,
  { reply, session }: TurnOutcome,
): Promise<void> {
  await archive.keep(`turns/${turn}/reply.txt`, reply);
  if (session !== undefined)
    await archive.keep(`turns/${turn}/session.txt`, encodeUtf8(`${oneLine(session)}\n`));
}

function reportMisconduct(
  context: ActContext,
  { turn }: Turn,
  misconduct: readonly { readonly code: string; readonly message: string }[],
): void {
  for (const { code, message } of misconduct) context.submit({ command: "report", turn, code, message });
}

/** Commands that only a person may run and that the agent tried. */
function asMisconduct(refusedCommands: readonly string[]) {
  return refusedCommands.map((command) => ({
    code: "AGENT_DECIDES",
    message: `it tried to decide something only a person may decide: ${command} – refused`,
  }));
}

interface Invocation {
  readonly turn: Turn;
  readonly desk: Desk;
  readonly scratch: string;
  readonly prompt: string;
  readonly resume: string | undefined;
  readonly cancellation: Cancellation;
  readonly isWatched: boolean;
}

async function invokeAgent(context: ActContext, invocation: Invocation) {
  const { turn, desk, scratch, prompt, resume, cancellation, isWatched } = invocation;
  const { state, ports } = context;
  const { driver, settings, mode } = ports.crew.member(turn.agent);
  const limits = { wallMs: turn.timeoutMs, stallMs: turn.stallMs };
  const supervision = new Supervision(ports.clock, limits, () => handle.cancel());
  const key = `turn:${turn.turn}`;
  const onSign = (sign: SignOfLife) => {
    supervision.noteSign();
    const words = wordsOf(sign);
    context.reportSign({ key, task: turn.task, ...(words === undefined ? {} : { words }) });
    const checkpoint = sign.kind === "line" ? checkpointIn(sign.text) : undefined;
    if (checkpoint !== undefined)
      context.submitOrFail({ command: "turn-checkpoint", turn: turn.turn, text: checkpoint });
  };
  const transcript = openTranscript(ports, turn.turn);
  const handle = driver.start(
    {
      turn: turn.turn,
      run: runOf(state),
      task: turn.task,
      attempt: turn.attempt,
      agent: turn.agent,
      role: turn.role,
      fence: turn.fenceTag,
      prompt,
      mode,
      ...serverFor(context, { turn, mode, desk: desk.folder, scratch }),
      ...(resume === undefined ? {} : { resume }),
      ...(isWorkAtDesk(taskOf(state, turn.task)) && { isWorkAtDesk: true as const }),
      desk: desk.folder,
      scratch,
      readOnly: readOnlyPlaces(ports),
      writable: openedPlaces(state.run?.settings ?? {}, ports.home ?? ""),
      settings,
    },
    {
      onSign,
      onRecord: (record) => transcript.record(record),
      // Written before the agent learns that the edit was declined, because its next call of a turn tool reads the file.
      onTried: ({ path, operations }) =>
        ports.scratch.handIn(scratch, handedInLine({ tried: operations, at: path })),
    },
  );
  cancellation.onCancel(() => handle.cancel());
  if (handle.identity) context.submit({ command: "turn-started", turn: turn.turn, ...handle.identity });
  // A watched turn may still be rejected, and then nothing of it may be used; so no snapshots are taken.
  const snapshots = isWatched ? () => {} : takeSnapshots(context, turn, desk);
  const outcome = await handle.outcome;
  snapshots();
  supervision.end();
  return { outcome, exceeded: supervision.exceeded, ms: supervision.elapsedMs, transcript };
}

interface TurnServerInput {
  readonly turn: Turn;
  readonly mode: WorkMode;
  readonly desk: string;
  readonly scratch: string;
}

/** Empty if there is no program to start a turn server with. */
function serverFor({ state, ports }: ActContext, { turn: { turn, task, role }, ...place }: TurnServerInput) {
  if (!ports.turnServer) return {};
  const { deletes: confirmDeletes, writes = [] } = rulesOf(state, taskOf(state, task));
  const rules = {
    ...{ confirmDeletes, writes },
    ...(isWorkAtDesk(taskOf(state, task)) && { isWorkAtDesk: true as const }),
  };
  return { server: serverOfTurn(ports.turnServer, { turn, task, role, rules, ...place }) };
}

function wordsOf(sign: SignOfLife): string | undefined {
  if (sign.kind === "action") return oneLine(sign.words, 120);
  return sign.kind === "line" ? oneLine(sign.text, 120) : undefined;
}

const checkpointWords = "Checkpoint:";

function checkpointIn(line: string): string | undefined {
  return line.startsWith(checkpointWords)
    ? oneLine(line.slice(checkpointWords.length).trim(), 200)
    : undefined;
}

interface TurnTimes {
  readonly exceeded: "wall" | "stall" | undefined;
  readonly ms: number;
  /** Wall-clock time, like the reset time of a rate limit. */
  readonly now: number;
}

function endOf(outcome: TurnOutcome, { exceeded, ms, now }: TurnTimes): TurnEnded {
  const { ended, reply } = outcome;
  const lastLine = oneLine(outcome.lastLine, 200);
  if (exceeded) return { how: "timed-out", limit: exceeded, afterMs: ms, lastLine };
  if (ended.kind === "replied")
    return { how: "replied", replySha256: sha256(reply), ...present({ toolUses: outcome.toolUses }) };
  if (ended.kind === "cancelled") return { how: "cancelled", reason: "it was ended" };
  const { code, message, resetsAt } = ended;
  const resets = resetsAt === undefined ? {} : { resetsInMs: Math.max(0, Math.round(resetsAt - now)) };
  return { how: "crashed", code, message: oneLine(message, 500), lastLine, ...resets };
}

/** The last line of the transcript. */
function endWords(ended: TurnEnded): string {
  switch (ended.how) {
    case "replied":
      return `the turn ended with a reply${ended.toolUses === 0 ? "; it used none of its tools" : ""}`;
    case "timed-out":
      return `the turn was ended: ${ended.limit === "wall" ? "it took too long" : "it was silent for too long"}`;
    case "cancelled":
      return `the turn was ended: ${ended.reason}`;
    case "crashed":
      return `the turn failed: ${ended.code}: ${ended.message}`;
  }
}

function endTurn(context: ActContext, { turn }: Turn, ended: TurnEnded, spent: TurnSpending): void {
  context.submit({ command: "turn-ended", turn, ended, spent });
}
