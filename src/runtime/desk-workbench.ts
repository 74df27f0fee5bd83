/**
 * Carries a reply's operations out at a desk with the machinery of every other changeset: whole or not at all, also across a
 * kill, read back from disk.
 */
import { compile } from "../change/compile.ts";
import { needsEditor } from "../change/needs-editor.ts";
import { judge } from "../change/policy.ts";
import { aboutReply } from "../changeset/about.ts";
import { Changesets } from "../changeset/changesets.ts";
import type { Chance } from "../world/chance.ts";
import type { Clock } from "../world/clock.ts";
import type { Files } from "../world/files.ts";
import { sha256 } from "../world/hash.ts";
import { newFileMode } from "../world/new-file-mode.ts";
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

/** The ledger stands where an agent can reach it: one that is not ours any more says nothing and is thrown away. */
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
  if (changesets.history().some((one) => one.id === id && one.state === "applied")) return { kind: "done" };
  const { disk, root } = changesets;
  const compiled = compile(operations, { root, disk, hash: sha256, newFileMode: newFileMode() });
  const before = new Map(compiled.steps.toReversed().map((step) => [step.path, step.before]));
  const judgement = judge(compiled.changes, {
    contents: compiled.contents,
    before: (path) => before.get(path),
    isRepository: (folder) => disk.isRepository(folder),
    rules,
  });
  const problems = [...compiled.problems, ...compiled.needsEditor.map(needsEditor), ...judgement.refused];
  if (problems.length > 0) return { kind: "refused", problems };
  const confirmations = judgement.confirmations.filter((one) => !isAllowed(one));
  if (confirmations.length > 0) {
    const bytes = new Map(compiled.contents);
    for (const found of before.values()) if (found) bytes.set(sha256(found), found);
    const held = heldChange(compiled.changes, bytes);
    return { kind: "needs-confirmation", confirmations, held };
  }
  const { changes, contents } = compiled;
  const outcome = await changesets.apply({ id, changes, contents, about: aboutReply(compiled, about) });
  return outcome.outcome === "refused" ? { kind: "refused", problems: outcome.problems } : { kind: "done" };
}
