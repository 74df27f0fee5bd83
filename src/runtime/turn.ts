/** The act of a turn: a desk, a prompt, an agent, and what it replied, kept durably before anybody is told. */
import type { Sign, TurnOutcome, Way } from "../driver/driver.ts";
import type { Desk } from "../git/repository.ts";
import type { TurnEnded } from "../kernel/command.ts";
import type { Effect } from "../kernel/effect.ts";
import type { Spent } from "../kernel/event.ts";
import type { Turn } from "../kernel/state.ts";
import { known } from "../kernel/tasks.ts";
import { handedInLine } from "../reply/handed-in.ts";
import { assert } from "../std/assert.ts";
import { oneLine } from "../std/printable.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { sha256 } from "../world/hash.ts";
import type { Bridge, Cancellation } from "./bridge.ts";
import { guardDesk } from "./guard-desk.ts";
import { withHandedIn } from "./handed-in-reply.ts";
import { keepWatch, watched } from "./keep-watch.ts";
import { promptFor } from "./prompt.ts";
import { readOnlyPlaces } from "./read-only-places.ts";
import { rulesOf } from "./rules.ts";
import { turnServer } from "./served-turn.ts";
import { takeSnapshots } from "./snapshots.ts";
import { spentOf } from "./spent-of.ts";
import { Supervision } from "./supervision.ts";
import { openTranscript } from "./transcript.ts";
import { openTurnDesk, runOf } from "./turn-desk.ts";

export async function runTurn(
  effect: Extract<Effect, { effect: "turn" }>,
  bridge: Bridge,
  cancellation: Cancellation,
): Promise<void> {
  const { state, hands } = bridge;
  const turn = state.turns.get(effect.turn);
  assert(turn, "a turn that is to be run was dispatched");
  const task = known(state, turn.task);
  // The task may be taken back while its turn is still being prepared; what is judged is what it was then.
  const { work } = task;
  const desk = await openTurnDesk(bridge, task, turn.role);
  const { driver, way, prices } = hands.crew.member(turn.agent);
  // Another version of an agent's driver may not be able to do what that of the turn before was.
  const resume = driver.canResume ? turn.resumes : undefined;
  const prompt = await promptFor({ bridge, task, work, turn, desk, isGoingOn: resume !== undefined });
  await hands.archive.keep(`turns/${turn.turn}/prompt.md`, encodeUtf8(prompt));
  if (cancellation.isCancelled) {
    endTurn(bridge, turn, { how: "cancelled", reason: "it was ended before it began" }, { ms: 0 });
    return;
  }
  const scratch = `${desk.folder}.scratch`;
  await hands.scratch.open(scratch);
  const undoStrays = hands.lookout.isNeeded() ? await guardDesk(bridge, { turn, desk, way }) : undefined;
  // The last thing before it begins: what others do meanwhile is not its own.
  const watch = await keepWatch(bridge, turn);
  const played = await play(bridge, {
    turn,
    desk,
    scratch,
    prompt,
    resume,
    cancellation,
    isWatched: watch !== undefined,
  });
  const { exceeded, ms, transcript } = played;
  await undoStrays?.();
  const outcome = await withHandedIn(hands, {
    turn,
    way,
    desk: desk.folder,
    scratch,
    outcome: played.outcome,
  });
  await hands.archive.keep(`turns/${turn.turn}/reply.txt`, outcome.reply);
  if (outcome.session !== undefined)
    await hands.archive.keep(`turns/${turn.turn}/session.txt`, encodeUtf8(`${oneLine(outcome.session)}\n`));
  for (const { code, message } of [...outcome.misconduct, ...decisions(hands.scratch.refusals(scratch))])
    bridge.submit({ command: "report", turn: turn.turn, code, message });
  await hands.scratch.close(scratch);
  const isResumable = driver.canResume && outcome.session !== undefined;
  const session = isResumable ? { session: oneLine(outcome.session, 500) } : {};
  const end = { ...endOf(outcome, { exceeded, ms, now: hands.clock.now() }), ...session };
  const ended = await watched(bridge, watch, { outcome, ended: end });
  transcript.end(endWords(ended));
  endTurn(bridge, turn, ended, spentOf({ ms, usage: outcome.usage, prices }));
}

/** What belongs to a person, and an agent tried. */
function decisions(commands: readonly string[]) {
  return commands.map((command) => ({
    code: "AGENT_DECIDES",
    message: `it tried to decide what only a person may: ${command} – refused`,
  }));
}

interface Play {
  readonly turn: Turn;
  readonly desk: Desk;
  readonly scratch: string;
  readonly prompt: string;
  readonly resume: string | undefined;
  readonly cancellation: Cancellation;
  readonly isWatched: boolean;
}

async function play(bridge: Bridge, playing: Play) {
  const { turn, desk, scratch, prompt, resume, cancellation, isWatched } = playing;
  const { state, hands } = bridge;
  const { driver, settings, way } = hands.crew.member(turn.agent);
  const limits = { wallMs: turn.timeoutMs, stallMs: turn.stallMs };
  const supervision = new Supervision(hands.clock, limits, () => handle.cancel());
  const key = `turn:${turn.turn}`;
  const onSign = (sign: Sign) => {
    supervision.heard();
    const words = wordsOf(sign);
    bridge.heard({ key, task: turn.task, ...(words === undefined ? {} : { words }) });
    const checkpoint = sign.kind === "line" ? checkpointIn(sign.text) : undefined;
    if (checkpoint !== undefined)
      bridge.offer({ command: "turn-checkpoint", turn: turn.turn, text: checkpoint });
  };
  const transcript = openTranscript(hands, turn.turn);
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
      way,
      ...serverFor(bridge, { turn, way, desk: desk.folder, scratch }),
      ...(resume === undefined ? {} : { resume }),
      desk: desk.folder,
      scratch,
      readOnly: readOnlyPlaces(hands),
      settings,
    },
    {
      onSign,
      onRecord: (record) => transcript.record(record),
      // In the file before it hears that it was declined: its next call of a tool of its turn reads it.
      onTried: ({ path, operations }) =>
        hands.scratch.handIn(scratch, handedInLine({ tried: operations, at: path })),
    },
  );
  cancellation.onCancel(() => handle.cancel());
  if (handle.identity) bridge.submit({ command: "turn-started", turn: turn.turn, ...handle.identity });
  // Of a turn that is not accepted nothing is taken, so nothing is captured before that is known.
  const snapshots = isWatched ? () => {} : takeSnapshots(bridge, turn, desk);
  const outcome = await handle.outcome;
  snapshots();
  supervision.end();
  return { outcome, exceeded: supervision.exceeded, ms: supervision.elapsedMs, transcript };
}

interface Served {
  readonly turn: Turn;
  readonly way: Way;
  readonly desk: string;
  readonly scratch: string;
}

/** Nothing where there is no program to serve with. */
function serverFor({ state, hands }: Bridge, { turn: { turn, task, role }, ...place }: Served) {
  if (!hands.turnServer) return {};
  const { deletes: confirmDeletes, writes = [] } = rulesOf(state, known(state, task));
  const rules = { confirmDeletes, writes };
  return { server: turnServer(hands.turnServer, { turn, task, role, rules, ...place }) };
}

function wordsOf(sign: Sign): string | undefined {
  if (sign.kind === "action") return oneLine(sign.words, 120);
  return sign.kind === "line" ? oneLine(sign.text, 120) : undefined;
}

const checkpointWords = "Checkpoint:";

function checkpointIn(line: string): string | undefined {
  return line.startsWith(checkpointWords)
    ? oneLine(line.slice(checkpointWords.length).trim(), 200)
    : undefined;
}

interface Timing {
  readonly exceeded: "wall" | "stall" | undefined;
  readonly ms: number;
  /** By the wall, as a limit's end is told. */
  readonly now: number;
}

function endOf(outcome: TurnOutcome, { exceeded, ms, now }: Timing): TurnEnded {
  const { ended, reply } = outcome;
  const lastLine = oneLine(outcome.lastLine, 200);
  if (exceeded) return { how: "timed-out", limit: exceeded, afterMs: ms, lastLine };
  if (ended.kind === "replied") return { how: "replied", replySha256: sha256(reply) };
  if (ended.kind === "cancelled") return { how: "cancelled", reason: "it was ended" };
  const { code, message, resetsAt } = ended;
  const resets = resetsAt === undefined ? {} : { resetsInMs: Math.max(0, Math.round(resetsAt - now)) };
  return { how: "crashed", code, message: oneLine(message, 500), lastLine, ...resets };
}

/** The last line of the transcript. */
function endWords(ended: TurnEnded): string {
  switch (ended.how) {
    case "replied":
      return "the turn ended with a reply";
    case "timed-out":
      return `the turn was ended: ${ended.limit === "wall" ? "it took too long" : "nothing was heard for too long"}`;
    case "cancelled":
      return `the turn was ended: ${ended.reason}`;
    case "crashed":
      return `the turn failed: ${ended.code}: ${ended.message}`;
  }
}

function endTurn(bridge: Bridge, { turn }: Turn, ended: TurnEnded, spent: Spent): void {
  bridge.submit({ command: "turn-ended", turn, ended, spent });
}
