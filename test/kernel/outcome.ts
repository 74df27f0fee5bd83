/**
 * The outcome of an effect in a world where everything works. Trees and commits are names; each event gets a new one.
 */
import type { Command } from "../../src/kernel/command.ts";
import type { Effect } from "../../src/kernel/effect.ts";
import type { State } from "../../src/kernel/state.ts";
import { unreachable } from "../../src/std/assert.ts";
import { someCommit, someTree } from "./some-object-ids.ts";

export function outcomeOf(effect: Effect, { seq, tasks }: Pick<State, "seq" | "tasks">): Command {
  switch (effect.effect) {
    case "turn":
      return {
        command: "turn-ended",
        turn: effect.turn,
        ended: { how: "replied", replySha256: "0".repeat(64) },
        spent: { ms: 1000 },
      };
    case "end-turn":
      return {
        command: "turn-ended",
        turn: effect.turn,
        ended: { how: "cancelled", reason: effect.reason },
        spent: { ms: 1000 },
      };
    case "collect":
      return {
        command: "collected",
        turn: effect.turn,
        result:
          effect.role === "auditor"
            ? { kind: "pass", summary: "it is as it should be" }
            : {
                kind: "work",
                tree: someTree(`${effect.task}.${tasks.get(effect.task)?.attempt}-${seq}`),
                files: [`${effect.task}.ts`],
                summary: "done",
                outputs: ["schema.md"],
              },
      };
    case "verify":
      return {
        command: "verified",
        work: effect.work,
        tree: effect.tree,
        evidence: evidence(effect.commands, 0),
      };
    case "merge":
      return {
        command: "merged",
        task: effect.task,
        onto: effect.onto,
        // If nothing was integrated meanwhile, the merge is the work itself.
        result: {
          kind: "clean",
          tree: effect.base === effect.onto ? effect.tree : someTree(`merged-${seq}`),
          files: [],
        },
      };
    case "commit":
      return {
        command: "committed",
        task: effect.task,
        parent: effect.parent,
        tree: effect.tree,
        commit: someCommit(`c${seq}`),
      };
    case "revert":
      return {
        command: "reverted",
        task: effect.task,
        onto: effect.onto,
        result: { kind: "committed", tree: someTree(`reverted-${seq}`), commit: someCommit(`c${seq}`) },
      };
    case "advance":
      return { command: "advanced", from: effect.from, to: effect.to };
    default:
      return unreachable(effect);
  }
}

export function evidence(commands: readonly string[], exit: number) {
  return { sha256: "e".repeat(64), commands: commands.map((command) => ({ command, exit, ms: 1 })) };
}
