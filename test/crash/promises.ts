/** Simple promises of a changeset, checked on the model disk: they need no crash, only a disk that can be manipulated. */
import type { Files } from "../../src/world/files/files.ts";
import { Violation } from "./explore.ts";
import { Crash } from "./faults.ts";
import { ModelDisk } from "./model-disk.ts";
import { modelFiles } from "./model-files.ts";
import { open, type Program, proposalOf } from "./scenario.ts";

export async function holdPromises(program: Program): Promise<void> {
  for (const [name, promise] of Object.entries(promises)) {
    try {
      await promise(program);
    } catch (error) {
      throw new Violation(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
}

const promises: Readonly<Record<string, (program: Program) => Promise<void>>> = {
  "an id is applied once": async (program) => {
    const disk = ModelDisk.of({ "a.txt": "one" });
    const changesets = await open(program, disk);
    await changesets.apply(change("same", "a.txt", "one", "two"));
    const again = await changesets.apply(change("same", "a.txt", "two", "three"));
    expect(again.outcome === "duplicate" && disk.text("a.txt") === "two", `the second gave ${again.outcome}`);
  },

  "an undo touches no file that moved on": async (program) => {
    const disk = ModelDisk.of({ "a.txt": "one" });
    const changesets = await open(program, disk);
    await changesets.apply(change("it", "a.txt", "one", "two"));
    disk.put("a.txt", "theirs");
    const undone = await changesets.undo();
    const told = undone.outcome === "refused" && undone.problems[0]?.code === "UNDO_CHANGED";
    expect(told && disk.text("a.txt") === "theirs", `it gave ${JSON.stringify(undone)}`);
  },

  "a file keeps its mode": async (program) => {
    const disk = ModelDisk.of({ "run.sh": { mode: 0o755, text: "one" } });
    const changesets = await open(program, disk);
    const outcome = await changesets.apply(change("it", "run.sh", "one", "two", 0o755));
    const entry = disk.snapshot().get("run.sh");
    const mode = entry?.kind === "file" ? entry.mode : undefined;
    expect(outcome.outcome === "applied" && mode === 0o755, `${outcome.outcome}, mode ${mode?.toString(8)}`);
  },

  "a disk that keeps something else is found out, and everything taken back": async (program) => {
    const disk = ModelDisk.of({ "a.txt": "one" });
    const changesets = await open(program, disk, spoiling(modelFiles(disk), "two"));
    const outcome = await changesets.apply(change("it", "a.txt", "one", "two"));
    const told = outcome.outcome === "refused" && outcome.problems[0]?.code === "VERIFY_FAILED";
    expect(told && disk.text("a.txt") === "one", `${outcome.outcome}, ${disk.text("a.txt")}`);
  },

  "what is not there in the end is not called applied": async (program) => {
    const disk = ModelDisk.of({ "a.txt": "one", "b.txt": "b" });
    const files = modelFiles(disk);
    const saving: Files = {
      ...files,
      rename: (from, name, to, newName) => {
        files.rename(from, name, to, newName);
        if (newName === "a.txt") disk.put("a.txt", "theirs");
      },
    };
    const changesets = await open(program, disk, saving);
    const steps = { "a.txt": "two", "b.txt": "bb" };
    const outcome = await changesets.apply(proposalOf({ id: "it", files: steps }, texts(disk)));
    const kept = disk.text("a.txt") === "theirs" && disk.text("b.txt") === "b";
    expect(
      outcome.outcome === "refused" && kept,
      `${outcome.outcome}, ${disk.text("a.txt")}, ${disk.text("b.txt")}`,
    );
  },

  "nothing is committed once the lock file is gone": async (program) => {
    const disk = ModelDisk.of({ "a.txt": "one" });
    const changesets = await open(program, disk);
    disk.remove(".coxswain/changesets/lock");
    const outcome = await changesets.apply(change("it", "a.txt", "one", "two"));
    expect(outcome.outcome === "refused" && disk.text("a.txt") === "one", outcome.outcome);
  },

  "one writer at a time": async (program) => {
    const disk = ModelDisk.of({ "a.txt": "one" });
    await open(program, disk);
    const second = await open(program, disk).then(
      () => "let in",
      (error) => error.code,
    );
    expect(second === "LOCK_HELD", `a second one was ${second}`);
  },

  "what was taken back is done with: its wish coming true later is left alone": async (program) => {
    const disk = ModelDisk.of({ "a.txt": "one", "b.txt": "b" });
    const first = await open(program, disk, conflicting(disk));
    await first.apply(change("it", "a.txt", "one", "two"));
    first.close();
    disk.put("a.txt", "two");
    (await open(program, disk)).close();
    expect(disk.text("a.txt") === "two", `the person's own file became ${disk.text("a.txt")}`);
  },

  "what was turned round goes back, also after a crash": async (program) => {
    const disk = ModelDisk.of({ "a.txt": "one", "b.txt": "b" });
    const crashing = conflicting(disk, () => {
      throw new Crash();
    });
    const first = await open(program, disk, crashing);
    const steps = { "b.txt": "bb", "a.txt": "two" };
    await first.apply(proposalOf({ id: "it", files: steps }, texts(disk))).catch(() => undefined);
    const [after] = disk.crashStates("kill", { limit: 1, seed: 1 });
    if (!after) throw new Error("a kill leaves one disk");
    after.put("a.txt", "one");
    (await open(program, after)).close();
    expect(after.text("b.txt") === "b", `b.txt is ${after.text("b.txt")}`);
  },
};

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

function change(id: string, path: string, before: string, after: string, mode?: number) {
  return proposalOf({ id, files: { [path]: after } }, new Map([[path, before]]), mode);
}

function texts(disk: ModelDisk): Map<string, string> {
  return new Map(
    [...disk.snapshot().keys()].flatMap((path) => {
      const text = disk.text(path);
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
}

/** Stores other bytes than it was given, without an error. */
function spoiling(files: Files, text: string): Files {
  return {
    ...files,
    write: (file, bytes) => {
      const spoilt = new TextDecoder().decode(bytes) === text ? new TextEncoder().encode("2wo") : bytes;
      files.write(file, spoilt);
    },
  };
}

/** Somebody writes `a.txt` right after the commit point. `then` runs right after the abort is recorded. */
function conflicting(disk: ModelDisk, then?: () => void): Files {
  const files = modelFiles(disk);
  return {
    ...files,
    write: (file, bytes) => {
      files.write(file, bytes);
      const text = new TextDecoder().decode(bytes);
      if (text.includes('"changeset_prepared"')) disk.put("a.txt", "theirs");
      if (text.includes('"changeset_aborted"') && then) {
        files.sync(file);
        then();
      }
    },
  };
}
