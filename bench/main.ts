/**
 * `npm run bench [-- WORKLOAD…] [--rounds N] [--write]`: measures the executor against other ways of doing the same
 * work, prints ratios, and with `--write` creates docs/benchmarks.md from them. Exits 1 if a target was missed.
 * `--peers` instead counts the steps and times the searches of other task programs, which are downloaded for it (over a
 * gigabyte); `--write` does both. `--libraries` compares our search with libraries made for it,
 * `--sizes` what a task costs in small and large repositories.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { documentSearch } from "./document-search.ts";
import { edits } from "./edits.ts";
import { extractionOfLongReply } from "./extraction.ts";
import { journalAppends, journalGroups } from "./journal.ts";
import { kernelSteps } from "./kernel-steps.ts";
import { largeFiles } from "./large-files.ts";
import { machineFacts } from "./machine.ts";
import { benchmarksPage } from "./page.ts";
import { type PeerTable, peerLines } from "./peer-table.ts";
import { largePlans } from "./plans.ts";
import { type Result, race } from "./race.ts";
import { reportLines } from "./report.ts";
import { repositorySize } from "./repository-size.ts";
import { runOverhead } from "./run-overhead.ts";
import { sandboxStart } from "./sandbox-start.ts";
import { Scratch } from "./scratch.ts";
import { searchLibraries } from "./search-libraries.ts";
import { searchPeers } from "./search-peers.ts";
import { smallFiles } from "./small-files.ts";
import { startUp } from "./start-up.ts";
import { taskPeers } from "./task-peers.ts";
import { nextTask, taskSteps } from "./task-steps.ts";
import type { Workload } from "./workload.ts";

const workloads: Readonly<Record<string, (scratch: Scratch) => Workload>> = {
  "small-files": smallFiles,
  "large-files": largeFiles,
  edits,
  extraction: extractionOfLongReply,
  "start-up": startUp,
  "sandbox-start": sandboxStart,
  plans: largePlans,
  "kernel-steps": kernelSteps,
  "run-overhead": runOverhead,
  "journal-appends": journalAppends,
  "journal-groups": journalGroups,
  "task-steps": taskSteps,
  "next-task": nextTask,
  "document-search": documentSearch,
};

// Relative to dist/bench/, where this runs.
const page = new URL("../../docs/benchmarks.md", import.meta.url);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    write: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    libraries: { type: "boolean", default: false },
    sizes: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const known = positionals.every((name) => Object.hasOwn(workloads, name));
// A page made from some workloads would lose the figures of the others, and a few rounds are not enough for figures.
const fitForPage = positionals.length === 0 && rounds >= 7;
if (!known || !(rounds >= 1) || (values.write && !fitForPage)) {
  print(
    "usage: npm run bench [-- WORKLOAD…] [--rounds N] [--write] | --peers | --libraries | --sizes",
    `workloads: ${Object.keys(workloads).join(", ")}; all of them, and at least 7 rounds, for --write`,
  );
  process.exitCode = 2;
} else {
  await bench();
}

async function bench(): Promise<void> {
  const scratch = new Scratch();
  process.once("SIGINT", () => {
    scratch.remove();
    process.exit(130);
  });
  try {
    const machine = machineFacts(scratch.folder);
    print(...machine);
    if (values.libraries) return void (await measureAll(scratch, [searchLibraries]));
    if (values.sizes) return void (await measureAll(scratch, [repositorySize]));
    const results = values.peers ? [] : await raceAll(scratch);
    const peers =
      values.peers || values.write ? await measureAll(scratch, [taskPeers, searchPeers, repositorySize]) : [];
    if (values.write) writeFileSync(page, benchmarksPage({ results, peers, machine, rounds }));
    const judged = [...results.flatMap(({ compared }) => compared), ...peers.flatMap(({ aims }) => aims)];
    if (judged.some(({ met }) => met === false)) process.exitCode = 1;
  } finally {
    scratch.remove();
  }
}

async function raceAll(scratch: Scratch): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, workload] of Object.entries(workloads)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const result = await race(workload(scratch), rounds, scratch.folder);
    results.push(result);
    print("", ...reportLines(result));
  }
  return results;
}

async function measureAll(scratch: Scratch, measures: readonly (typeof searchPeers)[]): Promise<PeerTable[]> {
  const tables: PeerTable[] = [];
  for (const measure of measures) {
    const table = await measure(scratch, (line) => process.stderr.write(`${line}\n`));
    tables.push(table);
    print("", ...peerLines(table));
  }
  return tables;
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}
