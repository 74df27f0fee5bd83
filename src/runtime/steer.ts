/**
 * Delivers a person's command to the run: to the process that writes it or, if there is none, by becoming its writer for
 * a moment.
 */
import { LockHeld } from "../durable/lock.ts";
import type { Recorded } from "../journal/journal.ts";
import { peekJournal } from "../journal/peek-journal.ts";
import type { ExternalCommand, Refusal } from "../kernel/command.ts";
import type { Problem } from "../std/problem.ts";
import { pause } from "../world/time/pause.ts";
import type { RunFolder } from "./folder/run-folder.ts";
import { isWritten } from "./is-written.ts";
import { Inbox } from "./loop/inbox.ts";
import type { RunWorld } from "./run-world.ts";
import { openRun } from "./start/open-run.ts";

export type SteeringCommand = Extract<ExternalCommand, { by: unknown }>;

export type SteerResult =
  | {
      readonly kind: "recorded";
      /** The id by which an event's `by` names this request. */
      readonly request: string;
      readonly events: readonly Recorded[];
      readonly isRunning: boolean;
    }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** The process that writes the run does not answer; the request was withdrawn. */
  | { readonly kind: "unanswered" };

interface Request {
  readonly id: string;
  readonly command: SteeringCommand;
}

export async function steer(
  world: RunWorld,
  folder: RunFolder,
  command: SteeringCommand,
): Promise<SteerResult> {
  const id = world.chance.id(12);
  const signed = { ...command, by: { ...command.by, request: id } } as SteeringCommand;
  for (;;) {
    try {
      return await recordOurselves(world, folder, { id, command: signed });
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error;
    }
    const answered = await askWriter(world, folder, { id, command: signed });
    if (answered.kind !== "left") return answered;
  }
}

async function recordOurselves(
  world: RunWorld,
  folder: RunFolder,
  { id: request, command }: Request,
): Promise<SteerResult> {
  const run = await openRun(world, folder);
  try {
    const { coordinator } = run;
    const before = coordinator.state.seq;
    const seen: Recorded[] = [];
    coordinator.watch({ onRecorded: (recorded) => seen.push(...recorded) });
    const admitted = coordinator.submit(command);
    if ("refused" in admitted) {
      // The previous writer recorded it before it ended.
      if (admitted.refused === "request-already-handled")
        return { kind: "recorded", request, events: [], isRunning: false };
      return { kind: "refused", refusal: admitted };
    }
    await coordinator.durable();
    // A rollback is carried out immediately: nobody should have to start the crew for it.
    if (command.command === "rollback") await coordinator.run({ leaveWhenWaiting: true, onlyRollback: true });
    return { kind: "recorded", request, events: seen.filter(({ seq }) => seq > before), isRunning: false };
  } finally {
    await run.close();
  }
}

const lookEveryMs = 50;
/** A writer checks five times a second, but takes longer while busy with git or a slow disk. */
const patienceMs = 15_000;

async function askWriter(
  { files }: RunWorld,
  folder: RunFolder,
  { id, command }: Request,
): Promise<SteerResult | { readonly kind: "left" }> {
  const inbox = new Inbox(folder);
  const peek = peekJournal(files, folder.path);
  try {
    await peek.read();
    peek.mustBeSound();
    await inbox.leave({ id, command });
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookEveryMs) {
      const seen = (await peek.read()).flatMap((one) => (one.known ? [one] : []));
      const at = seen.findIndex((one) => isOf(one, id));
      if (at !== -1) return { kind: "recorded", request: id, events: seen.slice(at), isRunning: true };
      const refusal = inbox.takeRefusal(id);
      if (refusal) return { kind: "refused", refusal };
      if (!inbox.isWaiting(id)) return { kind: "recorded", request: id, events: [], isRunning: true };
      if (!isWritten(files, folder)) {
        inbox.withdraw(id);
        return { kind: "left" };
      }
      await pause(lookEveryMs);
    }
    inbox.withdraw(id);
    return { kind: "unanswered" };
  } finally {
    peek.close();
  }
}

function isOf({ data }: Recorded, id: string): boolean {
  return "by" in data && typeof data.by === "object" && data.by.request === id;
}

/** Says whether the run takes up the decision by itself, or somebody must resume it. */
export function goesOn({ isRunning }: Pick<Extract<SteerResult, { kind: "recorded" }>, "isRunning">): string {
  return isRunning ? "The run continues with it." : "Resume the run: cox resume";
}

/** It holds the lock, so nobody else may write. */
export const unanswered: Problem = {
  code: "RUN_UNANSWERED",
  message: "the process that works on the run did not answer; the request was withdrawn",
  hint: "It may hang or be suspended: check it (cox status), end it, then try again.",
};
