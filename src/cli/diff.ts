/**
 * `cox diff [TASK]`: what a task changed, by its commit or, before there is one, as it was captured at its desk last; or
 * what the whole run changed.
 */
import type { Commit, Repository, TreeChanges, TreeId } from "../git/repository.ts";
import type { State, Task } from "../kernel/state.ts";
import { readHeld } from "../runtime/held-change.ts";
import type { RunFolder } from "../runtime/run-folder.ts";
import { oneLine } from "../std/printable.ts";
import { jsonText } from "../view/json-text.ts";
import { refusalProblem } from "../view/refusals.ts";
import { shortSha } from "../view/task-words.ts";
import {
  type TreeDifference,
  treeDifferenceDocument,
  treeDifferenceStat,
  treeDifferenceText,
} from "../view/tree-difference.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { findTask } from "./find-task.ts";
import type { RunMeans } from "./run-means.ts";
import { seeRun } from "./see-run.ts";
import { tellProblems } from "./tell-problems.ts";

export async function diff(door: Door, means: RunMeans): Promise<ExitCode> {
  const { words, values, clock } = door;
  const [wanted] = words;
  return seeRun(door, { command: "diff", run: values.one("run") }, async ({ look, folder }) => {
    const { state } = look.seen(clock.now());
    const found = wanted === undefined ? undefined : findTask(state, wanted);
    if (found && "refused" in found) return tellProblems(door, "diff", [refusalProblem(found)], exit.refused);
    const opened = await means.openWorld(values.one("root") ?? ".");
    if ("problem" in opened) return tellProblems(door, "diff", [opened.problem], exit.notReady);
    const { repository } = opened.world;
    const held = found && heldOf(found.task, folder);
    if (held) {
      tell(door, { run: folder.run, task: found.task.facts.task, ...held });
      return exit.done;
    }
    const sides = found ? await sidesOfTask(repository, found.task) : sidesOfRun(state);
    const changes = sides.from === sides.to ? none : await repository.changes(sides.from, sides.to);
    tell(door, { run: folder.run, task: found?.task.facts.task ?? null, sides, changes });
    return exit.done;
  });
}

interface Sides {
  readonly from: TreeId;
  readonly to: TreeId;
  /** Where the change stands: on the run's branch, only as it was captured, or nowhere before a person allows it. */
  readonly stands: "committed" | "captured" | "held" | "nowhere";
  readonly words: string;
}

const nothing = "" as TreeId;
const none: TreeChanges = { changes: [], links: [], bytes: () => new Uint8Array() };

function sidesOfRun({ run, tip, tipTree }: State): Sides {
  const from = (run?.base_tree ?? nothing) as TreeId;
  const words = `${oneLine(run?.title || run?.run || "", 120)}: ${shortSha(run?.base ?? "")} → ${shortSha(tip)} on ${oneLine(run?.branch ?? "", 80)}`;
  return { from, to: tipTree as TreeId, stands: tipTree === from ? "nowhere" : "committed", words };
}

async function sidesOfTask(repository: Repository, { facts, phase, work, desk }: Task): Promise<Sides> {
  const name = oneLine(facts.task, 80);
  if (phase.name === "verified" && !phase.commit) return nowhere(`${name} was done before the run began`);
  const commit = phase.name === "verified" || phase.name === "reverting" ? phase.commit : undefined;
  if (commit) {
    const from = await repository.treeOf(commit.parent as Commit);
    const words = `${name}: committed as ${shortSha(commit.sha)}`;
    return { from, to: commit.tree as TreeId, stands: "committed", words };
  }
  const captured = work ?? desk;
  if (!captured) return nowhere(`${name} has no change yet: nobody has begun with it`);
  const from = await repository.treeOf(captured.base as Commit);
  if (from === captured.tree) {
    const isAtWork = phase.name === "working" && phase.step === "turn";
    return nowhere(
      `${name} has no change yet: ${isAtWork ? "its agent is at work" : "nothing was captured"}`,
    );
  }
  const words = `${name}: captured on top of ${shortSha(captured.base)}, not committed`;
  return { from, to: captured.tree as TreeId, stands: "captured", words };
}

/** What waits for a person's yes, and is neither captured nor committed before. */
function heldOf({ facts, phase }: Task, folder: RunFolder): Pick<Told, "sides" | "changes"> | undefined {
  if (phase.name !== "held" || phase.turn === undefined) return undefined;
  const changes = readHeld(folder, phase.turn);
  const id = oneLine(phase.question, 60);
  const words = `${oneLine(facts.task, 80)}: waits for your word on ${id} (cox confirm ${id}, cox deny ${id}), not committed`;
  return changes && { changes, sides: { from: nothing, to: nothing, stands: "held", words } };
}

function nowhere(words: string): Sides {
  return { from: nothing, to: nothing, stands: "nowhere", words };
}

interface Told {
  readonly run: string;
  readonly task: string | null;
  readonly sides: Sides;
  readonly changes: TreeDifference;
}

function tell({ terminal, values }: Door, { run, task, sides, changes }: Told): void {
  const isStat = values.has("stat");
  if (terminal.json) {
    const document = treeDifferenceDocument(changes, { diff: !isStat });
    terminal.print(jsonText({ ok: true, run, task, stands: sides.stands, words: sides.words, ...document }));
    return;
  }
  terminal.print(`${terminal.paint("bold", sides.words)}\n`);
  if (changes.changes.length + changes.links.length === 0) {
    if (sides.stands !== "nowhere" || task === null) terminal.print("Nothing was changed.\n");
    return;
  }
  const text = isStat ? treeDifferenceStat : treeDifferenceText;
  terminal.print(`\n${text(changes, terminal.paint)}`);
}
