/**
 * `cox diff [TASK]`: shows what a task changed, from its commit or, if there is none yet, from the last capture of its
 * desk. Without a task, it shows what the whole run changed.
 */
import type { Repository, TreeChanges } from "../../git/repository.ts";
import type { State, Task } from "../../kernel/state.ts";
import { readHeldChange } from "../../runtime/acts/held-change.ts";
import type { RunFolder } from "../../runtime/folder/run-folder.ts";
import { noTree, type TreeId } from "../../std/object-id.ts";
import { oneLine } from "../../std/printable.ts";
import { runTitle } from "../../view/run-title.ts";
import { shortSha } from "../../view/status/task-words.ts";
import { refusalProblem } from "../../view/text/refusals.ts";
import {
  type TreeDifference,
  treeDifferenceDocument,
  treeDifferenceStat,
  treeDifferenceText,
} from "../../view/text/tree-difference.ts";
import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { findRunTask } from "./find-task.ts";
import { runDocument, type SeenRun, seeRun } from "./see-run.ts";

export async function diff(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  const { words, values, clock } = door;
  const [wanted] = words;
  return seeRun(door, { command: "diff", run: values.one("run") }, async (run) => {
    const { look, folder, untold } = run;
    const { state } = look.seen(clock.now());
    const found = wanted === undefined ? undefined : findRunTask(state, wanted);
    if (found && "refused" in found)
      return tellProblems(door, "diff", [...untold, refusalProblem(found)], exit.refused);
    const opened = await ports.openWorld(values.one("root") ?? ".");
    if ("problem" in opened) return tellProblems(door, "diff", [...untold, opened.problem], exit.notReady);
    const { repository } = opened.world;
    const held = found && heldOf(found.task, folder);
    if (held) {
      tell(door, { run, task: found.task.facts.task, ...held });
      return exit.done;
    }
    const sides = found ? await sidesOfTask(repository, found.task) : sidesOfRun(state);
    const changes = sides.from === sides.to ? none : await repository.changes(sides.from, sides.to);
    tell(door, { run, task: found?.task.facts.task ?? null, sides, changes });
    return exit.done;
  });
}

interface Sides {
  readonly from: TreeId;
  readonly to: TreeId;
  /** Where the change is: on the run's branch, only captured, held until a person allows it, or nowhere. */
  readonly stands: "committed" | "captured" | "held" | "nowhere";
  readonly words: string;
}

const none: TreeChanges = { changes: [], links: [], bytes: () => new Uint8Array() };

function sidesOfRun({ run, tip, tipTree }: State): Sides {
  const from = run?.base_tree ?? noTree;
  const words = `${oneLine(run ? runTitle(run) : "", 120)}: ${shortSha(run?.base ?? "")} → ${shortSha(tip)} on ${oneLine(run?.branch ?? "", 80)}`;
  return { from, to: tipTree, stands: tipTree === from ? "nowhere" : "committed", words };
}

async function sidesOfTask(repository: Repository, { facts, phase, work, desk }: Task): Promise<Sides> {
  const name = oneLine(facts.task, 80);
  if (phase.name === "done" && !phase.commit) return nowhere(`${name} was done before the run began`);
  const commit = phase.name === "done" || phase.name === "reverting" ? phase.commit : undefined;
  if (commit) {
    const from = await repository.treeOf(commit.parent);
    const words = `${name}: committed as ${shortSha(commit.sha)}`;
    return { from, to: commit.tree, stands: "committed", words };
  }
  const captured = work ?? desk;
  if (!captured) return nowhere(`${name} has no change yet: no agent has started it`);
  const from = await repository.treeOf(captured.base);
  if (from === captured.tree) {
    const isAtWork = phase.name === "working" && phase.step === "turn";
    return nowhere(
      `${name} has no change yet: ${isAtWork ? "its agent is at work" : "nothing was captured"}`,
    );
  }
  const words = `${name}: captured on top of ${shortSha(captured.base)}, not committed`;
  return { from, to: captured.tree, stands: "captured", words };
}

/** The changes that wait for a person's approval. Until then they are neither captured nor committed. */
function heldOf(
  { facts, phase }: Task,
  folder: RunFolder,
): Pick<DiffAnswer, "sides" | "changes"> | undefined {
  if (phase.name !== "held" || phase.turn === undefined) return undefined;
  const changes = readHeldChange(folder, phase.turn);
  const id = oneLine(phase.question, 60);
  const words = `${oneLine(facts.task, 80)}: waits for your decision on ${id} (cox confirm ${id}, cox deny ${id}), not committed`;
  return changes && { changes, sides: { from: noTree, to: noTree, stands: "held", words } };
}

function nowhere(words: string): Sides {
  return { from: noTree, to: noTree, stands: "nowhere", words };
}

interface DiffAnswer {
  readonly run: SeenRun;
  readonly task: string | null;
  readonly sides: Sides;
  readonly changes: TreeDifference;
}

function tell({ terminal, values }: CommandContext, { run, task, sides, changes }: DiffAnswer): void {
  const isStat = values.has("stat");
  if (terminal.json) {
    const document = treeDifferenceDocument(changes, { diff: !isStat });
    const { stands, words } = sides;
    terminal.print(runDocument(run, { run: run.folder.run, task, stands, words, ...document }));
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
