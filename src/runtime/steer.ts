/**
 * A person's command, to whoever writes the run: handed to the process that does, or, where there is none, recorded by
 * ourselves as its writer for a moment.
 */
import { LockHeld } from "../durable/lock.ts";
import type { Recorded } from "../journal/journal.ts";
import { peekJournal } from "../journal/peek-journal.ts";
import type { Door, Refusal } from "../kernel/command.ts";
import type { Problem } from "../std/problem.ts";
import { pause } from "../world/pause.ts";
import { Inbox } from "./inbox.ts";
import { isWritten } from "./is-written.ts";
import { openRun } from "./open-run.ts";
import type { RunFolder } from "./run-folder.ts";
import type { RunWorld } from "./run-world.ts";

export type Steering = Extract<Door, { by: unknown }>;

export type Steered =
  | { readonly kind: "recorded"; readonly events: readonly Recorded[]; readonly isRunning: boolean }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** The process that writes the run does not answer; the request was taken back. */
  | { readonly kind: "unanswered" };

export async function steer(world: RunWorld, folder: RunFolder, command: Steering): Promise<Steered> {
  const id = world.chance.id(12);
  const signed = { ...command, by: { ...command.by, request: id } } as Steering;
  for (;;) {
    try {
      return await recordOurselves(world, folder, signed);
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error;
    }
    const answered = await askWriter(world, folder, { id, command: signed });
    if (answered.kind !== "left") return answered;
  }
}

async function recordOurselves(world: RunWorld, folder: RunFolder, command: Steering): Promise<Steered> {
  const run = await openRun(world, folder);
  try {
    const { coordinator } = run;
    const before = coordinator.state.seq;
    const seen: Recorded[] = [];
    coordinator.watch({ onRecorded: (recorded) => seen.push(...recorded) });
    const admitted = coordinator.submit(command);
    if ("refused" in admitted) {
      // The writer had recorded it before it ended.
      if (admitted.refused === "request-already-handled")
        return { kind: "recorded", events: [], isRunning: false };
      return { kind: "refused", refusal: admitted };
    }
    await coordinator.durable();
    // What a rollback needs is done at once: nobody should have to start the crew for it.
    if (command.command === "rollback") await coordinator.run({ leaveWhenWaiting: true, onlyRollback: true });
    return { kind: "recorded", events: seen.filter(({ seq }) => seq > before), isRunning: false };
  } finally {
    await run.close();
  }
}

const lookEveryMs = 50;
/** A writer looks five times a second; one that is busy with git or a slow disk takes longer. */
const patienceMs = 15_000;

async function askWriter(
  { files }: RunWorld,
  folder: RunFolder,
  request: { id: string; command: Steering },
): Promise<Steered | { readonly kind: "left" }> {
  const inbox = new Inbox(folder);
  const peek = peekJournal(files, folder.path);
  try {
    await peek.read();
    await inbox.leave(request);
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookEveryMs) {
      const seen = (await peek.read()).flatMap((one) => (one.known ? [one] : []));
      const at = seen.findIndex((one) => isOf(one, request.id));
      if (at !== -1) return { kind: "recorded", events: seen.slice(at), isRunning: true };
      const refusal = inbox.takeRefusal(request.id);
      if (refusal) return { kind: "refused", refusal };
      if (!inbox.isWaiting(request.id)) return { kind: "recorded", events: [], isRunning: true };
      if (!isWritten(files, folder)) {
        inbox.withdraw(request.id);
        return { kind: "left" };
      }
      await pause(lookEveryMs);
    }
    inbox.withdraw(request.id);
    return { kind: "unanswered" };
  } finally {
    peek.close();
  }
}

function isOf({ data }: Recorded, id: string): boolean {
  return "by" in data && typeof data.by === "object" && data.by.request === id;
}

/** Where a decision waits for somebody to go on with the run. */
export function goesOn({ isRunning }: Pick<Extract<Steered, { kind: "recorded" }>, "isRunning">): string {
  return isRunning ? "The run goes on with it." : "Go on with the run: cox resume";
}

/** It holds the lock, so nobody else may write. */
export const unanswered: Problem = {
  code: "RUN_UNANSWERED",
  message: "the process that works on the run did not answer; the request was taken back",
  hint: "It may hang or be suspended: look at it (cox status), end it, then try again.",
};
