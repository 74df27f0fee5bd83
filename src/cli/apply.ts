/**
 * `cox apply`: a model's reply → the files it speaks of, all of them or none.
 *
 * Everything up to the last step only looks: a reply that is refused, or not confirmed, leaves no trace at all.
 */
import { aboutReply } from "../changeset/about.ts";
import { Peek } from "../changeset/peek.ts";
import { readReply } from "../reply/read.ts";
import type { Operation, Reply } from "../reply/reply.ts";
import type { Problem } from "../std/problem.ts";
import type { Ended, Ending } from "../view/ended.ts";
import { readWishes, type Wishes } from "./apply-wishes.ts";
import { confirm } from "./confirm.ts";
import { type Considered, consider } from "./consider.ts";
import type { Door } from "./door.ts";
import type { ExitCode } from "./exit.ts";
import { readInput } from "./input.ts";
import { openChangesets } from "./open-changesets.ts";
import { openProgress } from "./progress.ts";
import { tellEnded } from "./tell-ended.ts";
import { tellPlan } from "./tell-plan.ts";

export async function apply(door: Door): Promise<ExitCode> {
  const wishes = readWishes(door);
  const ended = "problem" in wishes ? misused(wishes.problem) : await readAndCarryOut(door, wishes);
  return tellEnded(ended, door.terminal);
}

async function readAndCarryOut(door: Door, wishes: Wishes): Promise<Ended> {
  const { stdin, signal, terminal } = door;
  if (wishes.input === "-" && stdin.isTTY) {
    terminal.notice("Paste the reply, then press Ctrl-D. (From a file: cox apply FILE)\n");
  }
  const input = await readInput(wishes.input, stdin, signal, {
    what: "reply",
    hint: "Name a file that holds the reply, or pipe it in: my-model | cox apply",
  });
  signal.throwIfAborted();
  if ("problem" in input) return misused(input.problem);
  const { reply, sound, problems, warnings } = readReply(
    input.bytes,
    wishes.fence === undefined ? {} : { fence: wishes.fence },
  );
  if (reply) return carryOut(door, wishes, reply, warnings);
  const further = sound && sound.length > 0 ? furtherProblems(door, wishes, sound) : [];
  return { ending: { name: "refused", problems: [...problems, ...further] }, operations: [], warnings };
}

/** The reply goes back anyhow: it should go back once, with everything that is wrong. */
function furtherProblems(
  { files }: Door,
  wishes: Wishes,
  operations: readonly Operation[],
): readonly Problem[] {
  const peek = Peek.open(files, wishes.root);
  try {
    return consider({ operations }, peek, wishes).problems;
  } finally {
    peek.close();
  }
}

async function carryOut(
  door: Door,
  wishes: Wishes,
  reply: Reply,
  warnings: readonly Problem[],
): Promise<Ended> {
  if (!wishes.dryRun) await finishLeftovers(door, wishes.root);
  const peek = Peek.open(door.files, wishes.root);
  try {
    if (wishes.id !== undefined && isKnown(peek, wishes.id)) {
      return { ending: { name: "duplicate", id: wishes.id }, operations: [], warnings };
    }
    const considered = consider(reply, peek, wishes);
    const ending = await decide(door, wishes, reply, considered);
    return { ending, operations: considered.operations, warnings: [...warnings, ...considered.warnings] };
  } finally {
    peek.close();
  }
}

/** What an earlier process left half done comes first: the reply is then held against a tree that is whole. */
async function finishLeftovers(door: Door, root: string): Promise<void> {
  const peek = Peek.open(door.files, root);
  const unfinished = peek.unfinished();
  peek.close();
  if (unfinished.length > 0) (await openChangesets(door, root)).close();
}

function isKnown(peek: Peek, wanted: string): boolean {
  return peek.history().some(({ id, state }) => id === wanted && (state === "applied" || state === "undone"));
}

async function decide(door: Door, wishes: Wishes, reply: Reply, considered: Considered): Promise<Ending> {
  const { terminal, signal } = door;
  const { problems, confirmations } = considered;
  if (problems.length > 0) return { name: "refused", problems };
  tellPlan(considered, terminal, wishes.dryRun);
  if (wishes.dryRun) return { name: "planned", confirmations };
  if (confirmations.length > 0 && !wishes.yes) {
    const person = terminal.json ? undefined : door.findPerson();
    if (!person) return { name: "waiting", problems: confirmations };
    const asking = { person, considered, paint: terminal.noticePaint, signal };
    const denied = await confirm(asking).finally(() => person.leave());
    if (denied) return { name: "refused", problems: [denied] };
  }
  return write(door, wishes, reply, considered);
}

async function write(door: Door, wishes: Wishes, reply: Reply, { compiled }: Considered): Promise<Ending> {
  const { terminal, signal, clock } = door;
  const changesets = await openChangesets(door, wishes.root);
  const progress = openProgress(terminal, clock.now);
  try {
    const outcome = await changesets.apply(
      {
        id: wishes.id ?? changesets.newId(),
        changes: compiled.changes,
        contents: compiled.contents,
        about: aboutReply(compiled, reply.summary === undefined ? {} : { summary: reply.summary }),
      },
      { signal, onProgress: progress.report },
    );
    if (outcome.outcome === "refused") return { name: "refused", problems: outcome.problems };
    if (outcome.outcome === "duplicate") return { name: "duplicate", id: outcome.id };
    return { name: "applied", id: outcome.id, files: outcome.files, interrupted: signal.aborted };
  } finally {
    progress.end();
    changesets.close();
  }
}

function misused(problem: Problem): Ended {
  return { ending: { name: "misused", problems: [problem] }, operations: [], warnings: [] };
}
