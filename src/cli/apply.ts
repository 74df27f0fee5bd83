/** `cox apply`: carries out the reply in a file or on stdin, in front of a person who sees the plan and may be asked. */
import { type Asked, insideTurn } from "../runtime/agents-decide-nothing.ts";
import { type Applying, applyReply, type Confirmed } from "../runtime/apply-reply.ts";
import type { Considered } from "../runtime/consider-reply.ts";
import type { Problem } from "../std/problem.ts";
import type { Ended } from "../view/ended.ts";
import { readWishes, type Wishes } from "./apply-wishes.ts";
import { confirm } from "./confirm.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { readInput } from "./input.ts";
import { openChangesets } from "./open-changesets.ts";
import { openProgress } from "./progress.ts";
import { tellEnded } from "./tell-ended.ts";
import { tellPlan } from "./tell-plan.ts";
import { tellProblems } from "./tell-problems.ts";

export async function apply(door: Door, asked: Asked): Promise<ExitCode> {
  const refusal = door.values.has("dry-run") ? undefined : insideTurn(asked);
  if (refusal) return tellProblems(door, "apply", [refusal], exit.refused);
  const wishes = readWishes(door);
  const ended = "problem" in wishes ? misused(wishes.problem) : await readAndApply(door, wishes);
  return tellEnded(ended, door.terminal);
}

async function readAndApply(door: Door, wishes: Wishes): Promise<Ended> {
  const { stdin, signal, terminal, clock } = door;
  if (wishes.input === "-" && stdin.isTTY) {
    terminal.notice("Paste the reply, then press Ctrl-D. (From a file: cox apply FILE)\n");
  }
  const input = await readInput(wishes.input, stdin, signal, {
    what: "reply",
    hint: "Name a file that holds the reply, or pipe it in: my-model | cox apply",
  });
  signal.throwIfAborted();
  if ("problem" in input) return misused(input.problem);
  const progress = openProgress(terminal, clock.now);
  try {
    return await applyReply(input.bytes, applyingOf(door, wishes, progress.report));
  } finally {
    progress.end();
  }
}

function applyingOf(door: Door, wishes: Wishes, onProgress: Applying["onProgress"]): Applying {
  const { files, signal, terminal } = door;
  const { root, dryRun: isDryRun, writes, confirmDeletes, fence, id } = wishes;
  return {
    files,
    root,
    rules: { writes, confirmDeletes },
    isDryRun,
    ...(fence !== undefined && { fence }),
    ...(id !== undefined && { id }),
    signal,
    open: () => openChangesets(door, root),
    onPlan: (considered) => tellPlan(considered, terminal, isDryRun),
    onProgress,
    confirm: (considered) => askPerson(door, wishes, considered),
  };
}

async function askPerson(door: Door, { yes }: Wishes, considered: Considered): Promise<Confirmed> {
  const { terminal, signal } = door;
  if (yes) return { is: "given" };
  const person = terminal.json ? undefined : door.findPerson();
  if (!person) return { is: "nobody-there" };
  const asking = { person, considered, paint: terminal.noticePaint, signal };
  const problem = await confirm(asking).finally(() => person.leave());
  return problem ? { is: "denied", problem } : { is: "given" };
}

function misused(problem: Problem): Ended {
  return { ending: { name: "misused", problems: [problem] }, operations: [], warnings: [] };
}
