/** The cost of recording before acting: appends that wait for the disk, one by one and together. */
import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { FileJournal } from "../src/journal/file-journal.ts";
import type { Event } from "../src/kernel/event.ts";
import { assert } from "../src/std/assert.ts";
import { fdatasyncOne } from "../src/world/files/descriptor.ts";
import { nodeFiles } from "../src/world/files/node-files.ts";
import type { Scratch } from "./scratch.ts";
import type { Contestant, Workload } from "./workload.ts";

const journal = "journal";
const bare = "bare appends";
const bareGroups = "bare groups";
const bytesOnly = "bytes only";

export function journalAppends(scratch: Scratch): Workload {
  const shape = { groups: 300, together: 1 };
  return {
    name: "journal-appends",
    work: "300 events of some 500 bytes, each durable before the next one",
    fairness: [
      `${journal}: numbers, chains and checksums each event, looks whether lock and log are still ours, and keeps a head; the journal is open before.`,
      `${bare}: the same bytes, made beforehand, to an open file, an fdatasync by Node's threads after each.`,
    ],
    contestants: [throughJournal(scratch, shape), withoutJournal(bare, scratch, shape)],
    comparisons: [{ slow: journal, fast: bare, target: { atMost: 1.3 } }],
    roundsMin: 9,
  };
}

export function journalGroups(scratch: Scratch): Workload {
  const shape = { groups: 50, together: 100 };
  return {
    name: "journal-groups",
    work: "50 times 100 events of some 500 bytes, appended by 100 callers at once who all wait until theirs is durable",
    fairness: [
      `${journal}: each caller appends and waits for itself.`,
      `${bareGroups}: each caller makes JSON of a line's fields, which are there beforehand, and waits; the hundred share one write and one fdatasync by Node's threads. No numbers, no chain, no checksum, no look.`,
      `${bytesOnly}: the same without callers and JSON: the bytes of each hundred are there beforehand.`,
    ],
    contestants: [
      throughJournal(scratch, shape),
      inBareGroups(scratch, shape),
      withoutJournal(bytesOnly, scratch, shape),
    ],
    comparisons: [
      { slow: journal, fast: bareGroups, target: { atMost: 2 } },
      { slow: journal, fast: bytesOnly },
    ],
    roundsMin: 9,
  };
}

interface Shape {
  readonly groups: number;
  readonly together: number;
}

function throughJournal(scratch: Scratch, shape: Shape): Contestant {
  return {
    name: journal,
    prepare: () => {
      const folder = scratch.fresh("journal");
      const opened = open(folder);
      return {
        go: () => appendAll(opened, shape),
        end: async () => {
          await opened.close();
          const again = open(folder);
          assert(again.recorded.length === shape.groups * shape.together, "every event is there");
          await again.close();
        },
      };
    },
  };
}

function withoutJournal(name: string, scratch: Scratch, { groups, together }: Shape): Contestant {
  let lines: readonly string[];
  return {
    name,
    prepare: async () => {
      lines ??= await linesOf(scratch, { groups, together });
      const path = join(scratch.fresh("bare"), "events.jsonl");
      const fd = openSync(path, "a");
      const chunks = Array.from({ length: groups }, (_, group) =>
        Buffer.from(lines.slice(group * together, (group + 1) * together).join("")),
      );
      return {
        go: async () => {
          for (const chunk of chunks) {
            writeSync(fd, chunk);
            await fdatasyncOne(fd);
          }
        },
        end: () => {
          closeSync(fd);
          assert(statSync(path).size === Buffer.byteLength(lines.join("")), "every byte is there");
        },
      };
    },
  };
}

function inBareGroups(scratch: Scratch, { groups, together }: Shape): Contestant {
  let lines: readonly string[];
  return {
    name: bareGroups,
    prepare: async () => {
      lines ??= await linesOf(scratch, { groups, together });
      const path = join(scratch.fresh("groups"), "events.jsonl");
      const fd = openSync(path, "a");
      const values = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as unknown);
      return {
        go: async () => {
          for (let group = 0; group < groups; group++)
            await bareGroup(fd, values.slice(group * together, (group + 1) * together));
        },
        end: () => {
          closeSync(fd);
          assert(statSync(path).size === Buffer.byteLength(lines.join("")), "every byte is there");
        },
      };
    },
  };
}

async function bareGroup(fd: number, values: readonly unknown[]): Promise<void> {
  const gathered: string[] = [];
  const durable = (async () => {
    await undefined;
    writeSync(fd, gathered.join(""));
    await fdatasyncOne(fd);
  })();
  await Promise.all(
    values.map((value) => {
      gathered.push(`${JSON.stringify(value)}\n`);
      return durable;
    }),
  );
}

/** What a journal writes for the same events. */
async function linesOf(scratch: Scratch, shape: Shape): Promise<string[]> {
  const folder = scratch.fresh("lines");
  const opened = open(folder);
  await appendAll(opened, shape);
  await opened.close();
  return readFileSync(join(folder, "events.jsonl"), "utf8").split(/(?<=\n)/);
}

async function appendAll(opened: FileJournal, { groups, together }: Shape): Promise<void> {
  for (let group = 0; group < groups; group++) {
    const waiting: Promise<void>[] = [];
    for (let caller = 0; caller < together; caller++) {
      opened.append([eventOf(caller)], { at: 1_700_000_000_000 + group, time: group });
      waiting.push(opened.durable());
    }
    await Promise.all(waiting);
  }
}

function open(folder: string): FileJournal {
  return FileJournal.open({ files: nodeFiles(), folder, chance: { id: () => "bench" } });
}

function eventOf(number: number): Event {
  const text = `Read the parser and its ${number} tests, found where the indent is lost, changed it. `.repeat(
    3,
  );
  return { event: "agent_checkpoint", data: { turn: `develop:users#${number}` as never, text } };
}
