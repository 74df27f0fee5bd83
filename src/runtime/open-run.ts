/**
 * Becoming a run's writer: take its lock, replay its log, end what a dead writer left running, and say so in the log. Whoever
 * holds an open run may do anything with it; nobody else can.
 */
import { LockHeld } from "../durable/lock.ts";
import { FileJournal } from "../journal/file-journal.ts";
import { fromSnapshot, snapshotVersion, toSnapshot } from "../kernel/snapshot.ts";
import type { TaskId } from "../plan/plan.ts";
import { assert } from "../std/assert.ts";
import type { TaskBrief } from "../view/prompt.ts";
import { pause } from "../world/pause.ts";
import { Coordinator } from "./coordinator.ts";
import { deskScratch } from "./desk-scratch.ts";
import { deskWorkbench } from "./desk-workbench.ts";
import type { Crew, Hands } from "./hands.ts";
import { Inbox } from "./inbox.ts";
import { type RecoveredLanding, recoverLanding } from "./recover-landing.ts";
import type { RunFolder } from "./run-folder.ts";
import { type RunInputs, readInputs } from "./run-inputs.ts";
import { RunLookout } from "./run-lookout.ts";
import type { RunWorld } from "./run-world.ts";
import { takeOver } from "./take-over.ts";

export interface OpenRun {
  readonly coordinator: Coordinator;
  readonly folder: RunFolder;
  readonly inbox: Inbox;
  /** A landing that had been interrupted. */
  readonly recovered?: RecoveredLanding;
  close(): Promise<void>;
}

export async function openRun(world: RunWorld, folder: RunFolder): Promise<OpenRun> {
  const journal = await openPatiently(world, folder);
  try {
    const snapshot = journal.snapshot(snapshotVersion);
    const kept = snapshot && fromSnapshot(snapshot.state);
    const coordinator = new Coordinator({ clock: world.clock, journal, kept });
    coordinator.equip(handsOf(world, folder, readInputs(folder, coordinator.state)));
    await takeOver(coordinator, { ...world, recovered: journal.recovered });
    const recovered = await recoverLanding(coordinator, world);
    return { ...opened(folder, journal, coordinator), ...(recovered && { recovered }) };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** Somebody who only looks whether the run is written holds its lock for a moment: that is waited for. */
const waitMs = 500;
const askEveryMs = 20;

async function openPatiently(world: RunWorld, folder: RunFolder): Promise<FileJournal> {
  for (let waitedMs = 0; ; waitedMs += askEveryMs) {
    try {
      return openJournal(world, folder);
    } catch (error) {
      if (!(error instanceof LockHeld) || waitedMs >= waitMs) throw error;
    }
    await pause(askEveryMs);
  }
}

export function openJournal({ files, chance, pid }: RunWorld, folder: RunFolder): FileJournal {
  return FileJournal.open({ files, chance, folder: folder.path, holder: `process ${pid}` });
}

export function handsOf(world: RunWorld, folder: RunFolder, inputs: RunInputs): Hands {
  const { clock, chance, repository, verifier, files, removeFolder } = world;
  const lookout = new RunLookout(world, folder);
  return {
    clock,
    chance,
    repository,
    verifier,
    archive: lookout.archive,
    lookout,
    scratch: deskScratch({ files, remove: removeFolder }),
    workbench: deskWorkbench({ files, clock, chance, remove: removeFolder }),
    crew: crewOf(world, inputs),
    briefing: briefingOf(inputs),
    guarded: world.guarded,
    turnServer: world.turnServer,
  };
}

function crewOf({ drivers }: RunWorld, { agents }: RunInputs): Crew {
  return {
    member(name) {
      const agent = agents.get(name);
      assert(agent, `the agent ${name} is in the run's crew`);
      const driver = drivers.findFor(agent);
      if (!driver) throw unknownDriver(agent.driver, drivers.names);
      return {
        driver,
        settings: agent,
        way: agent.works ?? driver.ways[0],
        instructions: agent.instructions,
        ...(agent.prices && { prices: agent.prices }),
      };
    },
  };
}

function unknownDriver(name: string, names: readonly string[]): Error {
  const message = `this version has no driver ${name}; it has ${names.join(", ")}`;
  return Object.assign(new Error(message), {
    code: "NO_DRIVER",
    hint: "Use the version that began the run.",
  });
}

function briefingOf({ plan, contract, enclosed }: RunInputs): Hands["briefing"] {
  const briefs = new Map<TaskId, TaskBrief>(
    plan.tasks.map(({ id, text, success }) => {
      const goesWith = enclosed.get(id);
      const criteria = success.map((one) => one.text);
      return [id, { text, criteria, ...(goesWith && { enclosed: goesWith }) }];
    }),
  );
  return {
    title: plan.title,
    overview: plan.overview,
    contract,
    task: (id) => briefs.get(id) ?? { text: "", criteria: [] },
  };
}

/** A start is quick without a snapshot up to some thousand events. */
const snapshotFrom = 2000;

export function opened(folder: RunFolder, journal: FileJournal, coordinator: Coordinator): OpenRun {
  return {
    coordinator,
    folder,
    inbox: new Inbox(folder),
    async close() {
      const { seq } = coordinator.state;
      try {
        await coordinator.durable();
        if (seq >= snapshotFrom)
          await journal.keepSnapshot({ seq, version: snapshotVersion, state: toSnapshot(coordinator.state) });
      } finally {
        await journal.close();
      }
    },
  };
}
