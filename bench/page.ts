/** Creates `docs/benchmarks.md` from the figures of one run, so that no figure in it is ever typed by hand. */
import { type PeerTable, peerSection } from "./peer-table.ts";
import type { Result } from "./race.ts";
import { claim, inMs, inTimes, targetOf } from "./report.ts";

export interface Measured {
  readonly results: readonly Result[];
  readonly peers: readonly PeerTable[];
  readonly machine: readonly string[];
  readonly rounds: number;
}

export function benchmarksPage({ results, peers, machine, rounds }: Measured): string {
  return `${[
    "# Benchmarks",
    "",
    `Run \`npm run bench -- --rounds ${rounds} --write\` to make this page on your own machine. The ratios depend on the disk, and on what else is running.`,
    "",
    "These figures are from a small virtual machine that other work was using at the same time:",
    "",
    ...machine.map((fact) => `- ${fact}`),
    "",
    ...howToRead,
    "",
    ...results.flatMap(section),
    ...peers.flatMap(peerSection),
    ...tried,
  ].join("\n")}\n`;
}

const howToRead = [
  "Every contestant runs three times in every round, each time in a fresh folder, in a rotating order. The shortest of the three times counts, because other work on the machine can only make a run longer. One pass beforehand does not count. Everything the others left in the page cache is written out before each run. A ratio compares two contestants within one round; the tables show the median of the ratios and, in parentheses, the smallest and the largest. Times are for orientation only.",
];

function section({ workload, rounds, times, compared }: Result): string[] {
  return [
    `## ${workload.name}`,
    "",
    `${sentence(workload.work)}, ${rounds} rounds.`,
    "",
    "| compared | times as long | wanted | |",
    "| --- | --- | --- | --- |",
    ...compared.map(
      (one) => `| ${claim(one)} | ${inTimes(one)} | ${targetOf(one)} | ${verdictOf(one.met)} |`,
    ),
    "",
    "| contestant | time |",
    "| --- | --- |",
    ...times.map(({ contestant, ms }) => `| ${contestant} | ${inMs(ms)} |`),
    "",
    ...workload.fairness.map((line) => `- ${line}`),
    ...(workload.notes?.() ?? []).map((note) => `- ${note}`),
    "",
  ];
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function verdictOf(met: boolean | undefined): string {
  if (met === undefined) return "";
  return met ? "met" : "missed";
}

const tried = [
  "## What was tried",
  "",
  "Kept:",
  "",
  "- Fewer `lstat` calls: one less for each file that is read back, none for the names in a stage that is emptied, none before a link, which fails by itself if something is there. Of 3,009 calls for 1,000 new files, 9 are left. With the next point, 1,000 new files took 64 ms of processor time instead of 79, and 1,000 edits 123 instead of 174 (on tmpfs, least of 30 runs).",
  "- Reading into memory that was not cleared first, and not copying it to cut one byte off.",
  "",
  "Dropped:",
  "",
  "- Writing the next files while the last ones are being synced, in steps of 32 to 256: no gain. The file system makes the writer wait for the same journal.",
  "- Syncing all 1,000 files at once instead of 256 at a time, or 64: no gain, and more descriptors.",
  "- 16 threads for the syncs instead of Node's 4: a seventh faster, for us and for the bare batch. It can only be set before Node starts, or by a program whose entry is CommonJS.",
  "- Making ext4 begin to write early, by truncating each new file to nothing, which it takes as a hint: the syncs took half the time, and the truncating took all of what that saved.",
  "- One `sync -f` instead of a sync for each file: the fastest by far, as `git apply` shows. It waits for everything else that is unwritten on that file system, however much that is, and before Linux 5.8 it does not report failures.",
  "- The process's number instead of `self` in `/proc/self/fd`: a twentieth faster per call, but it reaches another process's files if `/proc` belongs to another namespace.",
];
