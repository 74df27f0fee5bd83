/** The acts on the run's branch: merge a task, create the commit, move the branch, roll a task back. */
import type { Effect } from "../../kernel/effect.ts";
import { taskOf } from "../../kernel/rules/tasks.ts";
import { evidenceKey, type Task } from "../../kernel/state.ts";
import { assert } from "../../std/assert.ts";
import type { CommitId } from "../../std/object-id.ts";
import { commitMessage, revertMessage } from "../../view/end/commit-message.ts";
import type { ActContext } from "../loop/act-context.ts";
import { runOf } from "./turn-desk.ts";

type Of<Name extends Effect["effect"]> = Extract<Effect, { effect: Name }>;

export async function mergeTask({ task, base, tree, onto }: Of<"merge">, context: ActContext): Promise<void> {
  const { state, ports } = context;
  const files = taskOf(state, task).work?.files ?? [];
  const merged =
    base === onto
      ? ({ kind: "clean", tree } as const)
      : await ports.repository.merge({
          base: await ports.repository.treeOf(base),
          ours: await ports.repository.treeOf(onto),
          theirs: tree,
        });
  const result = merged.kind === "clean" ? { ...merged, files } : merged;
  // The work itself has been pinned since it was captured, and stays pinned until there is new work.
  if (merged.tree !== tree)
    await ports.repository.pin(runOf(state), `merged-${taskOf(state, task).facts.key}`, merged.tree);
  context.submit({ command: "merged", task, onto, result });
}

export async function commitIntegration(
  { task: id, parent, tree }: Of<"commit">,
  context: ActContext,
): Promise<void> {
  const { state, ports } = context;
  const task = taskOf(state, id);
  const evidence = state.evidence.get(evidenceKey(tree, task.facts.verify));
  const commit = await ports.repository.commitTree({
    tree,
    parents: [parent],
    message: commitMessage(task, { run: runOf(state), evidence: evidence?.sha256 }),
    author: authorOf(task.work?.author ?? task.facts.agent),
    time: Math.floor((task.work?.passedAt ?? 0) / 1000),
  });
  context.submit({ command: "committed", task: id, parent, tree, commit });
}

export async function advanceRun({ from, to }: Of<"advance">, context: ActContext): Promise<void> {
  const { state, ports } = context;
  const run = runOf(state);
  const [work] = state.queue;
  const { found } = await ports.repository.advance(run, { from, to });
  context.submit({ command: "advanced", from, to, ...(found === undefined ? {} : { found }) });
  if (found !== undefined || work?.of !== "task") return;
  // A finished task no longer needs its desks, so others can use them.
  const { key } = taskOf(state, work.task).facts;
  for (const name of [key, `${key}.audit`]) await ports.repository.closeDesk({ run, name });
}

export async function revert({ task: id, commit, onto }: Of<"revert">, context: ActContext): Promise<void> {
  const { state, ports } = context;
  const { repository } = ports;
  const task = taskOf(state, id);
  const parent = parentOf(task);
  const merged = await repository.merge({
    base: await repository.treeOf(commit),
    ours: await repository.treeOf(onto),
    theirs: await repository.treeOf(parent),
  });
  if (merged.kind === "conflict") {
    context.submit({
      command: "reverted",
      task: id,
      onto,
      result: { kind: "conflict", paths: merged.paths },
    });
    return;
  }
  const reverting = await repository.commitTree({
    tree: merged.tree,
    parents: [onto],
    message: revertMessage(task, { run: runOf(state), commit }),
    author: authorOf("coxswain"),
    // After a crash, a different time creates a different commit, but only until one of them is recorded as prepared.
    time: Math.floor(state.at / 1000),
  });
  const result = { kind: "committed", tree: merged.tree, commit: reverting } as const;
  context.submit({ command: "reverted", task: id, onto, result });
}

function parentOf({ phase }: Task): CommitId {
  assert(phase.name === "reverting", "only a task that is being taken back is reverted");
  return phase.commit.parent;
}

function authorOf(agent: string): { name: string; email: string } {
  return { name: `${agent} (coxswain)`, email: "coxswain@localhost" };
}
