/**
 * The part of `cox gc` that goes by age: removes what undoing old changesets would need, and replies that nobody
 * approved. If there are no such changesets, it takes no lock and creates nothing.
 */
import type { Clearable } from "../../changeset/clear.ts";
import { Peek } from "../../changeset/peek.ts";
import {
  oldWaitingReplies,
  removeOldWaitingReplies,
  type WaitingReply,
} from "../../runtime/folder/waiting-replies.ts";
import type { CommandContext } from "../command-context.ts";
import { openChangesets } from "../reply/open-changesets.ts";

export interface Cleared {
  readonly changesets: readonly Clearable[];
  readonly replies: readonly WaitingReply[];
}

export interface ClearOptions {
  readonly root: string;
  readonly days: number;
  readonly dryRun: boolean;
}

/** Undo is for recent changes, but in a quiet folder the most recent change may be half a year old. */
const keep = 20;

export async function clearOld(door: CommandContext, { root, days, dryRun }: ClearOptions): Promise<Cleared> {
  const { files, clock } = door;
  const before = clock.now() - days * 86_400_000;
  const peek = Peek.open(files, root);
  const found = peek.clearable({ keep, before });
  peek.close();
  if (dryRun) return { changesets: found, replies: oldWaitingReplies(files, root, before) };
  const replies = removeOldWaitingReplies(files, root, before);
  if (found.length === 0) return { changesets: [], replies };
  const changesets = await openChangesets(door, root);
  try {
    return { changesets: changesets.clear({ keep, before }), replies };
  } finally {
    changesets.close();
  }
}
