/**
 * `cox gc`: removes desks and the refs that keep their objects, of runs that are over, but for the newest few. Logs, branches
 * and whatever belongs to a run that is not over stay.
 */
import type { Garbage } from "../git/repository.ts";
import { insideTurn } from "../runtime/agents-decide-nothing.ts";
import { RunLook } from "../runtime/look-at-run.ts";
import { RunFolder } from "../runtime/run-folder.ts";
import type { RunWorld } from "../runtime/run-world.ts";
import { counted } from "../std/counted.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { size } from "../std/size.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { RunMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";

const keptUnlessTold = 5;

export async function gc(door: Door, means: RunMeans): Promise<ExitCode> {
  const refusal = insideTurn(means);
  if (refusal) return tellProblems(door, "gc", [refusal], exit.refused);
  const keep = countOf(door.values.one("keep"));
  if (typeof keep !== "number") return tellProblems(door, "gc", [keep], exit.usage);
  const opened = await means.openWorld(door.values.one("root") ?? ".");
  if ("problem" in opened) return tellProblems(door, "gc", [opened.problem], exit.notReady);
  const { repository } = opened.world;
  const { runs, isAnyWritten } = await keptRuns(opened.world, keep);
  const dryRun = door.values.has("dry-run");
  const before = await repository.collectGarbage({ runs: [], dryRun: true });
  // A desk that waits for its next user may be taken by a run at any moment.
  const kept = isAnyWritten ? [...runs, ".idle"] : runs;
  const removed = await repository.collectGarbage({ runs: kept, dryRun });
  tell(door, { removed, dryRun, runs, keptBytes: bytesOf(before) - bytesOf(removed) });
  return exit.done;
}

function countOf(text: string | undefined): number | Problem {
  if (text === undefined) return keptUnlessTold;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  const message = `--keep is how many runs that are over keep their desks, not ${quote(text, 60)}`;
  return { code: "USAGE", message, hint: "Type for example: cox gc --keep 2" };
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
  readonly dryRun: boolean;
  readonly runs: readonly string[];
  readonly keptBytes: number;
}

function tell({ terminal }: Door, { removed, dryRun, runs, keptBytes }: Collected): void {
  const { desks, refs } = removed;
  if (terminal.json) {
    const document = {
      ok: true,
      dry_run: dryRun,
      desks,
      refs,
      kept_runs: runs,
      kept_bytes: keptBytes,
      errors: [],
    };
    terminal.print(`${JSON.stringify(document)}\n`);
    return;
  }
  for (const { run, name, bytes } of desks)
    terminal.notice(`  ${oneLine(`${run}/${name}`, 120)}  ${size(bytes)}\n`);
  const what = `${counted(desks.length, "desk")} (${size(bytesOf(removed))}) and ${counted(refs.length, "ref")}`;
  const kept = `${counted(runs.length, "run")} kept, ${size(keptBytes)} at their desks; logs and branches are never removed`;
  terminal.print(
    dryRun
      ? `${what} would be removed · ${kept}\n`
      : `${terminal.paint("green", "✓")} ${what} removed · ${kept}\n`,
  );
}
