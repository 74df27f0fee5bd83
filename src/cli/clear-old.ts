/**
 * The part of `cox gc` that goes by age: what the undo of old changesets would need, and replies that nobody said yes to.
 * Where there is nothing of it no lock is taken and nothing is made.
 */
import type { Clearable } from "../changeset/clear.ts";
import { Peek } from "../changeset/peek.ts";
import { oldWaitingReplies, removeOldWaitingReplies, type WaitingReply } from "../runtime/waiting-replies.ts";
import type { Door } from "./door.ts";
import { openChangesets } from "./open-changesets.ts";

export interface Cleared {
  readonly changesets: readonly Clearable[];
  readonly replies: readonly WaitingReply[];
}

export interface ClearWish {
  readonly root: string;
  readonly days: number;
  readonly dryRun: boolean;
}

/** An undo is for what was done lately; but "lately" may be half a year ago where little is done. */
const keep = 20;

export async function clearOld(door: Door, { root, days, dryRun }: ClearWish): Promise<Cleared> {
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
