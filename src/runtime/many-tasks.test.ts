import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { memoryJournal } from "../../test/doubles/memory-journal.ts";
import { MemoryRepository } from "../../test/doubles/memory-repository.ts";
import { plan } from "../../test/kernel/plan.ts";
import { quickDriver, quickPorts } from "../../test/runtime/quick-ports.ts";
import { sized } from "../../test/sized.ts";
import type { Driver } from "../driver/driver.ts";
import { openFiles } from "../world/files/choose-files.ts";
import type { Files } from "../world/files/files.ts";
import { lineBounds } from "./folder/bounded-lines.ts";
import { RunFolder } from "./folder/run-folder.ts";
import { transcriptName } from "./folder/transcript.ts";
import { Coordinator } from "./loop/coordinator.ts";

const tasksMany = sized({ sample: 200, campaign: 2000 });

test.each([
  { kept: "two", foldersKeptMax: 2 },
  { kept: "as many as always", foldersKeptMax: undefined },
])(
  `of ${tasksMany} quick tasks in three slots every transcript is kept, with $kept folders kept open, and no handle stays open`,
  async ({ foldersKeptMax }) => {
    const { root, files, handles } = scene();
    const folder = await RunFolder.make(files, root, "r1", foldersKeptMax);
    const repository = new MemoryRepository({ "a.txt": "a\n" });
    const { state } = await runThrough(repository, folder, quickDriver(repository));
    expect(state.index.counts.done).toBe(tasksMany);
    expect(folder.names("turns")).toHaveLength(tasksMany);
    for (const turn of folder.names("turns")) expect(folder.has(transcriptName(turn))).toBe(true);
    folder.close();
    expect(handles()).toBe(0);
  },
);

test("a long turn's transcript keeps its first and last lines while other turns come and go", async () => {
  const { root, files, handles } = scene();
  const folder = await RunFolder.make(files, root, "r1", 2);
  const repository = new MemoryRepository({ "a.txt": "a\n" });
  // More than its file can hold, so it must come back to its folder between the other turns.
  const words = "x".repeat(Math.ceil((lineBounds.firstBytes + 2 * lineBounds.lastBytes) / tasksMany));
  const { driver, long } = oneLong(repository, words);
  const { state } = await runThrough(repository, folder, driver);
  expect(state.index.counts.done).toBe(tasksMany);
  const told = readFileSync(join(folder.path, transcriptName(long())), "utf8");
  expect(told).toContain(`1 ${words}`);
  expect(told).toContain("were left out here");
  expect(told).toContain(`${tasksMany - 1} ${words}`);
  folder.close();
  expect(handles()).toBe(0);
});

/** The first turn ends after all others. Whenever another one starts, it prints something. */
function oneLong(repository: MemoryRepository, words: string): { driver: Driver; long(): string } {
  const quick = quickDriver(repository);
  let first = "";
  let others = 0;
  let hear = () => {};
  let end = () => {};
  const driver: Driver = {
    ...quick,
    start(turn, observer) {
      const handle = quick.start(turn, observer);
      if (first === "") {
        first = turn.turn;
        const outlasting = new Promise<void>((resolve) => {
          end = resolve;
        });
        hear = () => observer?.onRecord?.({ from: "said", text: `${others} ${words}` });
        return { ...handle, outcome: outlasting.then(() => handle.outcome) };
      }
      others += 1;
      hear();
      if (others === tasksMany - 1) end();
      return handle;
    },
  };
  return { driver, long: () => first };
}

async function runThrough(
  repository: MemoryRepository,
  folder: RunFolder,
  driver: Driver,
): Promise<Coordinator> {
  const { commit: base } = await repository.head();
  await repository.beginRun("r1", base);
  const { crew, ...ports } = quickPorts(repository);
  const coordinator = new Coordinator({ clock: ports.clock, journal: memoryJournal().open() });
  coordinator.connect({
    ...ports,
    archive: folder,
    crew: { member: (agent) => ({ ...crew.member(agent), driver }) },
  });
  const [first = "", ...others] = Array.from({ length: tasksMany }, (_, at) => `t${at}`);
  const run = plan({ active_developers: 3 }, first, ...others);
  const base_tree = await repository.treeOf(base);
  coordinator.submit({ command: "start", run: { ...run, base, base_tree } });
  expect(await coordinator.run({ leaveWhenWaiting: true })).toBe("done");
  return coordinator;
}

/** A folder on a real disk without waiting for syncs, and a count of open handles. */
function scene(): { root: string; files: Files; handles(): number } {
  const root = mkdtempSync(join(tmpdir(), "cox-many-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const real = openFiles();
  let open = 0;
  const counting = <Given extends unknown[], Handle>(call: (...given: Given) => Handle) => {
    return (...given: Given): Handle => {
      const handle = call(...given);
      open += 1;
      return handle;
    };
  };
  const later = () => new Promise<void>((resolve) => setImmediate(resolve));
  const files: Files = {
    ...real,
    openRoot: counting(real.openRoot),
    openFolder: counting(real.openFolder),
    open: counting(real.open),
    close: (handle) => {
      real.close(handle);
      open -= 1;
    },
    sync: () => {},
    syncAll: later,
    syncData: later,
  };
  return { root, files, handles: () => open };
}
