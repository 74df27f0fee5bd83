/**
 * Carries out a reply's operations at a desk with the same machinery as every other changeset: all or none, even if the
 * process is killed, and read back from disk.
 */
import { judgeOperations } from "../../change/judge-operations.ts";
import { aboutReply } from "../../changeset/about.ts";
import { Changesets } from "../../changeset/changesets.ts";
import type { Chance } from "../../world/chance.ts";
import type { Files } from "../../world/files/files.ts";
import { sha256 } from "../../world/files/hash.ts";
import { newFileMode } from "../../world/files/new-file-mode.ts";
import type { Clock } from "../../world/time/clock.ts";
import { heldChange } from "./held-change.ts";
import type { CarriedOut, DeskProposal, Workbench } from "./workbench.ts";

export interface WorkbenchParts {
  readonly files: Files;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Removes a folder and everything in it. */
  remove(folder: string): Promise<void>;
}

export function deskWorkbench(parts: WorkbenchParts): Workbench {
  return {
    async carryOut(proposal) {
      const changesets = await openAt(proposal.folder, parts);
      try {
        return await apply(changesets, proposal);
      } finally {
        changesets.close();
      }
    },
  };
}

/** An agent can write to the ledger at its desk. A ledger that is damaged or not ours is discarded. */
async function openAt(root: string, { remove, ...parts }: WorkbenchParts): Promise<Changesets> {
  try {
    return await Changesets.open({ ...parts, root });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!/^(?:LOG|STATE|TXN)_/.test(code)) throw error;
    await remove(`${root}/.coxswain/changesets`);
    return Changesets.open({ ...parts, root });
  }
}

async function apply(changesets: Changesets, proposal: DeskProposal): Promise<CarriedOut> {
  const { id, operations, rules, about, isAllowed } = proposal;
  const earlier = changesets.history().find((one) => one.id === id && one.state === "applied");
  if (earlier) return { kind: "done", operations: earlier.operations };
  const { disk, root } = changesets;
  const judged = judgeOperations(operations, {
    ...{ root, disk, hash: sha256, newFileMode: newFileMode() },
    rules,
  });
  const { compiled, problems, before } = judged;
  const { changes, contents } = compiled;
  const description = aboutReply(compiled, about);
  const { operations: listed } = description;
  const held = heldChange(changes, () => {
    const bytes = new Map(contents);
    for (const { path } of changes) {
      const found = before(path);
      if (found) bytes.set(sha256(found), found);
    }
    return bytes;
  });
  if (problems.length > 0) return { kind: "refused", problems, operations: listed, held };
  const confirmations = judged.confirmations.filter((one) => !isAllowed(one));
  if (confirmations.length > 0)
    return { kind: "needs-confirmation", confirmations, operations: listed, held };
  const outcome = await changesets.apply({ id, changes, contents, about: description });
  return outcome.outcome === "refused"
    ? { kind: "refused", problems: outcome.problems, operations: listed, held }
    : { kind: "done", operations: listed };
}
