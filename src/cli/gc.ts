/**
 * `cox gc`: removes desks and the refs that keep their objects, of runs that are over, but for the newest few, and what
 * only an undo or a yes of long ago would need. Logs, branches and whatever belongs to a run that is not over stay.
 */
import type { Garbage } from "../git/repository.ts";
import { insideTurn } from "../runtime/agents-decide-nothing.ts";
import { RunLook } from "../runtime/look-at-run.ts";
import { RunFolder } from "../runtime/run-folder.ts";
import type { RunWorld } from "../runtime/run-world.ts";
import { counted, grouped } from "../std/counted.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { size } from "../std/size.ts";
import { type Cleared, clearOld } from "./clear-old.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { RunMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";

const keptUnlessTold = 5;
const daysUnlessTold = 30;

export async function gc(door: Door, means: RunMeans): Promise<ExitCode> {
  const refusal = insideTurn(means);
  if (refusal) return tellProblems(door, "gc", [refusal], exit.refused);
  const keep = countOf(door, keepOption);
  if (typeof keep !== "number") return tellProblems(door, "gc", [keep], exit.usage);
  const days = countOf(door, daysOption);
  if (typeof days !== "number") return tellProblems(door, "gc", [days], exit.usage);
  const opened = await means.openWorld(door.values.one("root") ?? ".");
  if ("problem" in opened) return tellProblems(door, "gc", [opened.problem], exit.notReady);
  const { repository } = opened.world;
  const { runs, isAnyWritten } = await keptRuns(opened.world, keep);
  const dryRun = door.values.has("dry-run");
  const before = await repository.collectGarbage({ runs: [], dryRun: true });
  // A desk that waits for its next user may be taken by a run at any moment.
  const kept = isAnyWritten ? [...runs, ".idle"] : runs;
  const removed = await repository.collectGarbage({ runs: kept, dryRun });
  const cleared = await clearOld(door, { root: repository.root, days, dryRun });
  tell(door, { removed, cleared, dryRun, runs, keptBytes: bytesOf(before) - bytesOf(removed) });
  return exit.done;
}

interface CountOption {
  readonly name: "keep" | "days";
  readonly what: string;
  readonly unlessTold: number;
}

const keepOption: CountOption = {
  name: "keep",
  what: "how many runs that are over keep their desks",
  unlessTold: keptUnlessTold,
};
const daysOption: CountOption = {
  name: "days",
  what: "how many days old changesets and replies must be to go",
  unlessTold: daysUnlessTold,
};

function countOf({ values }: Door, { name, what, unlessTold }: CountOption): number | Problem {
  const text = values.one(name);
  if (text === undefined) return unlessTold;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  const message = `--${name} is ${what}, not ${quote(text, 60)}`;
  return { code: "USAGE", message, hint: `Type for example: cox gc --${name} 2` };
}

interface Kept {
  readonly runs: readonly string[];
  readonly isAnyWritten: boolean;
}

/** Those that are not over, whatever their age, and the newest that are. */
async function keptRuns(world: RunWorld, keep: number): Promise<Kept> {
  const runs: string[] = [];
  let isAnyWritten = false;
  let over = 0;
  for (const run of RunFolder.list(world.files, world.repository.root)) {
    const { isOver, isWritten } = await standing(world, run);
    isAnyWritten ||= isWritten;
    if (isOver) over += 1;
    if (!isOver || over <= keep) runs.push(run);
  }
  return { runs, isAnyWritten };
}

/** A run whose log cannot be read is not over. */
async function standing({ files, repository, clock }: RunWorld, run: string) {
  const folder = RunFolder.open(files, repository.root, run);
  if (!folder) return { isOver: true, isWritten: false };
  const look = new RunLook(files, folder);
  try {
    await look.read();
    const { state, liveness } = look.seen(clock.now());
    const isOver = state.status.name === "finished" && !liveness.isAlive;
    return { isOver, isWritten: liveness.isAlive };
  } catch (error) {
    if (error instanceof Error && "code" in error) return { isOver: false, isWritten: true };
    throw error;
  } finally {
    look.close();
  }
}

function bytesOf({ desks }: Garbage): number {
  return desks.reduce((sum, { bytes }) => sum + bytes, 0);
}

interface Collected {
  readonly removed: Garbage;
  readonly cleared: Cleared;
  readonly dryRun: boolean;
  readonly runs: readonly string[];
  readonly keptBytes: number;
}

function tell({ terminal }: Door, { removed, cleared, dryRun, runs, keptBytes }: Collected): void {
  const { desks, refs } = removed;
  const { changesets, replies } = cleared;
  if (terminal.json) {
    const document = {
      ok: true,
      dry_run: dryRun,
      desks,
      refs,
      changesets,
      replies,
      kept_runs: runs,
      kept_bytes: keptBytes,
      errors: [],
    };
    terminal.print(`${JSON.stringify(document)}\n`);
    return;
  }
  for (const { run, name, bytes } of desks)
    terminal.notice(`  ${oneLine(`${run}/${name}`, 120)}  ${size(bytes)}\n`);
  for (const { id, at, bytes } of changesets)
    terminal.notice(`  changeset ${id} of ${at.slice(0, 10)}: what its undo needs  ${size(bytes)}\n`);
  for (const { path, bytes } of replies) terminal.notice(`  ${oneLine(path, 120)}  ${size(bytes)}\n`);
  const what = `${counted(desks.length, "desk")} (${size(bytesOf(removed))}) and ${counted(refs.length, "ref")}${clearedWords(cleared)}`;
  const kept = `${counted(runs.length, "run")} kept, ${size(keptBytes)} at their desks; logs and branches are never removed`;
  terminal.print(
    dryRun
      ? `${what} would be removed · ${kept}\n`
      : `${terminal.paint("green", "✓")} ${what} removed · ${kept}\n`,
  );
}

/** Nothing where nothing is that old, as in most repositories. */
function clearedWords({ changesets, replies }: Cleared): string {
  const parts = [
    ...(changesets.length > 0 ? [`the undo of ${counted(changesets.length, "changeset")}`] : []),
    ...(replies.length > 0
      ? [`${grouped(replies.length)} waiting ${replies.length === 1 ? "reply" : "replies"}`]
      : []),
  ];
  return parts.map((part) => `, ${part}`).join("");
}
