/** The acts on the run's branch: merge, make the commit, move the branch, take a task back. */
import type { Commit, TreeId } from "../git/repository.ts";
import type { Effect } from "../kernel/effect.ts";
import { evidenceKey, type Task } from "../kernel/state.ts";
import { known } from "../kernel/tasks.ts";
import { assert } from "../std/assert.ts";
import { commitMessage, revertMessage } from "../view/commit-message.ts";
import type { Bridge } from "./bridge.ts";
import { runOf } from "./turn-desk.ts";

type Of<Name extends Effect["effect"]> = Extract<Effect, { effect: Name }>;

export async function mergeTask({ task, base, tree, onto }: Of<"merge">, bridge: Bridge): Promise<void> {
  const { state, hands } = bridge;
  const files = known(state, task).work?.files ?? [];
  const merged =
    base === onto
      ? ({ kind: "clean", tree } as const)
      : await hands.repository.merge({
          base: await hands.repository.treeOf(base as Commit),
          ours: await hands.repository.treeOf(onto as Commit),
          theirs: tree as TreeId,
        });
  const result = merged.kind === "clean" ? { ...merged, files } : merged;
  // The work itself is pinned since it was captured, and stays so until there is other work.
  if (merged.tree !== tree)
    await hands.repository.pin(runOf(state), `merged-${known(state, task).facts.key}`, merged.tree as TreeId);
  bridge.submit({ command: "merged", task, onto, result });
}

export async function seal({ task: id, parent, tree }: Of<"seal">, bridge: Bridge): Promise<void> {
  const { state, hands } = bridge;
  const task = known(state, id);
  const evidence = state.evidence.get(evidenceKey(tree, task.facts.verify));
  const commit = await hands.repository.seal({
    tree: tree as TreeId,
    parents: [parent as Commit],
    message: commitMessage(task, { run: runOf(state), evidence: evidence?.sha256 }),
    author: authorOf(task.work?.author ?? task.facts.agent),
    time: Math.floor((task.work?.passedAt ?? 0) / 1000),
  });
  bridge.submit({ command: "sealed", task: id, parent, tree, commit });
}

export async function advance({ from, to }: Of<"advance">, bridge: Bridge): Promise<void> {
  const { state, hands } = bridge;
  const run = runOf(state);
  const [work] = state.queue;
  const { found } = await hands.repository.advance(run, { from: from as Commit, to: to as Commit });
  bridge.submit({ command: "advanced", from, to, ...(found === undefined ? {} : { found }) });
  if (found !== undefined || work?.of !== "task") return;
  // The desks of a task that is complete serve somebody else.
  const { key } = known(state, work.task).facts;
  for (const name of [key, `${key}.audit`]) await hands.repository.closeDesk({ run, name });
}

export async function revert({ task: id, commit, onto }: Of<"revert">, bridge: Bridge): Promise<void> {
  const { state, hands } = bridge;
  const { repository } = hands;
  const task = known(state, id);
  const parent = parentOf(task);
  const merged = await repository.merge({
    base: await repository.treeOf(commit as Commit),
    ours: await repository.treeOf(onto as Commit),
    theirs: await repository.treeOf(parent as Commit),
  });
  if (merged.kind === "conflict") {
    bridge.submit({
      command: "reverted",
      task: id,
      onto,
      result: { kind: "conflict", paths: merged.paths },
    });
    return;
  }
  const sealed = await repository.seal({
    tree: merged.tree,
    parents: [onto as Commit],
    message: revertMessage(task, { run: runOf(state), commit }),
    author: authorOf("coxswain"),
    // Another time after a crash makes another object, but only until one of them is recorded as prepared.
    time: Math.floor(state.at / 1000),
  });
  const result = { kind: "sealed", tree: merged.tree, commit: sealed } as const;
  bridge.submit({ command: "reverted", task: id, onto, result });
}

function parentOf({ phase }: Task): string {
  assert(phase.name === "reverting", "only a task that is being taken back is reverted");
  return phase.commit.parent;
}

function authorOf(agent: string): { name: string; email: string } {
  return { name: `${agent} (coxswain)`, email: "coxswain@localhost" };
}
