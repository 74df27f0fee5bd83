/** A write session: holds the lock, and a log whose entries have all been applied. */
import type { Bookmark } from "../durable/bookmark.ts";
import type { Lock } from "../durable/lock.ts";
import type { Log } from "../durable/log.ts";
import type { Tree } from "../world/folders/tree.ts";
import type { Clock } from "../world/time/clock.ts";
import type { DurableFolders } from "./durable-folders.ts";
import type { StoreRoom } from "./store-room.ts";

export interface WriteSession {
  readonly tree: Tree;
  readonly room: StoreRoom;
  readonly lock: Lock;
  readonly log: Log;
  /** How far the log has been applied. */
  readonly head: Bookmark;
  readonly folders: DurableFolders;
  readonly clock: Clock;
  newName(): string;
  now(): string;
}
