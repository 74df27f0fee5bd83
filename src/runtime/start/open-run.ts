/**
 * Opens a run as its writer: takes its lock, replays its log, ends what a dead writer left running, and records that in
 * the log. Only the holder of an open run can change it.
 */
import { LockHeld } from "../../durable/lock.ts";
import { FileJournal } from "../../journal/file-journal.ts";
import { fromSnapshot, snapshotVersion, toSnapshot } from "../../kernel/snapshot.ts";
import type { TaskId } from "../../plan/plan.ts";
import { assert } from "../../std/assert.ts";
import type { TaskBrief } from "../../view/prompt/prompt.ts";
import { pause } from "../../world/time/pause.ts";
import { deskWorkbench } from "../acts/desk-workbench.ts";
import { deskScratch } from "../folder/desk-scratch.ts";
import { discardLeftovers } from "../folder/discard-leftovers.ts";
import { readLiveRecord } from "../folder/live-record.ts";
import type { RunFolder } from "../folder/run-folder.ts";
import { type RunInputs, readInputs } from "../folder/run-inputs.ts";
import { type RecoveredLanding, recoverLanding } from "../landing/recover-landing.ts";
import { Coordinator } from "../loop/coordinator.ts";
import { Inbox } from "../loop/inbox.ts";
import type { CrewPort, Ports } from "../loop/ports.ts";
import { RunOutsideWatcher } from "../loop/run-outside-watcher.ts";
import type { RunWorld } from "../run-world.ts";
import { takeOver } from "./take-over.ts";

export interface OpenRun {
  readonly coordinator: Coordinator;
  readonly folder: RunFolder;
  readonly inbox: Inbox;
  /** A landing that had been interrupted. */
  readonly recovered?: RecoveredLanding;
  close(): Promise<void>;
}

/** `work` starts agents again; `record` records a decision, or lands, and ends. */
export type OpenPurpose = "work" | "record";

export async function openRun(
  world: RunWorld,
  folder: RunFolder,
  purpose: OpenPurpose = "record",
): Promise<OpenRun> {
  const journal = await openPatiently(world, folder);
  try {
    const snapshot = journal.snapshot(snapshotVersion);
    const restored = snapshot && fromSnapshot(snapshot.state);
    const coordinator = new Coordinator({
      clock: world.clock,
      journal,
      restored,
      live: readLiveRecord(folder),
    });
    coordinator.connect(portsOf(world, folder, readInputs(folder, coordinator.state)));
    const put = [...journal.recovered, ...discardLeftovers(folder)];
    await takeOver(coordinator, { ...world, recovered: put, isWorking: purpose === "work" });
    const recovered = await recoverLanding(coordinator, world);
    return { ...opened(folder, journal, coordinator), ...(recovered && { recovered }) };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** A process that only checks whether the run has a writer holds its lock for a moment, so we wait. */
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

export function portsOf(world: RunWorld, folder: RunFolder, inputs: RunInputs): Ports {
  const { clock, chance, repository, verifier, files, removeFolder } = world;
  const outsideWatcher = new RunOutsideWatcher(world, folder);
  return {
    clock,
    chance,
    repository,
    verifier,
    archive: outsideWatcher.archive,
    outsideWatcher,
    scratch: deskScratch({ files, remove: removeFolder }),
    workbench: deskWorkbench({ files, clock, chance, remove: removeFolder }),
    crew: crewOf(world, inputs),
    briefing: briefingOf(inputs),
    guarded: world.guarded,
    home: world.home,
    turnServer: world.turnServer,
  };
}

function crewOf({ drivers, pinPrograms }: RunWorld, { agents }: RunInputs): CrewPort {
  const programs = [...agents.values()].flatMap(({ command }) => command?.[0] ?? []);
  pinPrograms(programs.filter((name) => !name.includes("/")));
  return {
    member(name) {
      const agent = agents.get(name);
      assert(agent, `the agent ${name} is in the run's crew`);
      const driver = drivers.findFor(agent);
      if (!driver) throw unknownDriver(agent.driver, drivers.names);
      return {
        driver,
        settings: agent,
        mode: agent.works ?? driver.modes[0],
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
    hint: "Use the version that started the run.",
  });
}

function briefingOf({ plan, contract, attached }: RunInputs): Ports["briefing"] {
  const briefs = new Map<TaskId, TaskBrief>(
    plan.tasks.map(({ id, text, success }) => {
      const attachments = attached.get(id);
      const criteria = success.map((one) => one.text);
      return [id, { text, criteria, ...(attachments && { attached: attachments }) }];
    }),
  );
  return {
    title: plan.title,
    overview: plan.overview,
    contract,
    task: (id) => briefs.get(id) ?? { text: "", criteria: [] },
  };
}

/** Up to a few thousand events, starting is fast without a snapshot. */
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
