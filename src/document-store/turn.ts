/** A writer's turn: the lock, and with it the log as far as anybody has written it, all of it carried out. */
import type { Bookmark } from "../durable/bookmark.ts";
import type { Lock } from "../durable/lock.ts";
import type { Log } from "../durable/log.ts";
import type { Clock } from "../world/clock.ts";
import type { Tree } from "../world/tree.ts";
import type { DurableFolders } from "./durable-folders.ts";
import type { StoreRoom } from "./store-room.ts";

export interface Turn {
  readonly tree: Tree;
  readonly room: StoreRoom;
  readonly lock: Lock;
  readonly log: Log;
  /** How far the log is carried out. */
  readonly head: Bookmark;
  readonly folders: DurableFolders;
  readonly clock: Clock;
  newName(): string;
  now(): string;
}
