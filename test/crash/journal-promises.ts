/** Simple promises of the file journal, checked on the model disk: they need no crash, only somebody else on the disk. */
import { Violation } from "./explore.ts";
import { emptyRun } from "./journal-explore.ts";
import { eventOf, type JournalProgram, moment, openJournal } from "./journal-life.ts";
import type { ModelDisk } from "./model-disk.ts";
import { modelFiles } from "./model-files.ts";

export async function holdJournalPromises(program: JournalProgram): Promise<void> {
  for (const [name, { harm, code, mayBeWritten }] of Object.entries(harms)) {
    const disk = emptyRun();
    const journal = openJournal(program, modelFiles(disk));
    journal.append([eventOf("a"), eventOf("b")], moment);
    await journal.durable();
    const before = disk.text("run/events.jsonl");
    harm(disk);
    const told = await attempt(async () => {
      journal.append([eventOf("c")], moment);
      await journal.durable();
    });
    if (told !== code) throw new Violation(`${name}: the answer was ${told}`);
    if (!before || (!mayBeWritten && disk.text("run/events.jsonl")?.includes('"c"')))
      throw new Violation(`${name}: it was written all the same`);
  }
  await holdWitness(program);
}

interface Harm {
  readonly harm: (disk: ModelDisk) => void;
  readonly code: string;
  /** It may be written; the only promise is that it is not acknowledged. */
  readonly mayBeWritten?: true;
}

const harms: Readonly<Record<string, Harm>> = {
  "nothing is written once the lock is gone": {
    harm: (disk) => disk.remove("run/lock"),
    code: "LOCK_LOST",
  },
  "nothing is written behind a foreign record": {
    harm: (disk) => disk.writeInto("run/events.jsonl", "{}\n"),
    code: "LOG_FOREIGN",
  },
  "nothing is written into a file that took the log's place": {
    harm: (disk) => disk.put("run/events.jsonl", disk.text("run/events.jsonl") ?? ""),
    code: "LOG_FOREIGN",
  },
  "nothing is acknowledged once the lock was moved away": {
    harm: (disk) => move(disk, "lock"),
    code: "LOCK_LOST",
    mayBeWritten: true,
  },
  "nothing is acknowledged once the log was moved away and another is there": {
    harm: (disk) => {
      const text = disk.text("run/events.jsonl") ?? "";
      move(disk, "events.jsonl");
      disk.put("run/events.jsonl", text);
    },
    code: "LOG_FOREIGN",
    mayBeWritten: true,
  },
};

function move(disk: ModelDisk, name: string): void {
  const files = modelFiles(disk);
  const run = files.openRoot("/run");
  files.rename(run, name, run, `${name}.moved`);
  files.close(run);
}

async function holdWitness(program: JournalProgram): Promise<void> {
  const disk = emptyRun();
  const journal = openJournal(program, modelFiles(disk));
  for (const text of ["a", "b", "c"]) journal.append([eventOf(text)], moment);
  await journal.close();
  const lines = (disk.text("run/events.jsonl") ?? "").split(/(?<=\n)/);
  for (let kept = 0; kept < 3; kept++) {
    disk.put("run/events.jsonl", lines.slice(0, kept).join(""));
    const told = await attempt(async () => openJournal(program, modelFiles(disk)).close());
    if (told !== "LOG_LOST_TAIL") throw new Violation(`a log cut off after ${kept} records: ${told}`);
  }
}

async function attempt(work: () => Promise<void>): Promise<string> {
  try {
    await work();
    return "done";
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}
