/**
 * Starts a write session: takes the lock, reads what others recorded, finishes the change a killed writer left, and
 * clears its staged files.
 */
import { Bookmark } from "../durable/bookmark.ts";
import type { Lock } from "../durable/lock.ts";
import { Log } from "../durable/log.ts";
import { LogDamaged } from "../durable/log-damaged.ts";
import type { LogRecord } from "../durable/scan.ts";
import type { SessionPorts } from "../durable/session-keeper.ts";
import { takeLock } from "../durable/take-lock.ts";
import type { Chance } from "../world/chance.ts";
import type { Tree } from "../world/folders/tree.ts";
import type { Clock } from "../world/time/clock.ts";
import { DurableFolders } from "./durable-folders.ts";
import { finishLast } from "./finish-last.ts";
import { Queue } from "./queue.ts";
import { recordVersion, understands } from "./record.ts";
import { withWayOut } from "./store-hint.ts";
import { roomNames, StoreRoom } from "./store-room.ts";
import type { WriteSession } from "./write-session.ts";

export interface WriteSessionOptions {
  readonly tree: Tree;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly waitMs: number;
  readonly logBytesMax?: number;
}

export class WriteSessions implements SessionPorts<WriteSession> {
  readonly #folders: DurableFolders;
  readonly #name: string;
  #names = 0;
  #room: StoreRoom | undefined;
  #log: Log | undefined;

  constructor(private readonly options: WriteSessionOptions) {
    this.#folders = new DurableFolders(options.tree);
    this.#name = options.chance.id(8);
  }

  async take(): Promise<WriteSession> {
    try {
      return await this.#take();
    } catch (error) {
      throw withWayOut(error);
    }
  }

  async #take(): Promise<WriteSession> {
    const { tree, clock, waitMs } = this.options;
    const { files } = tree;
    const room = await this.#openRoom();
    const where = "these documents";
    const queue = this.#queueAt(room);
    queue.enter();
    const lock = await takeLock({ files, folder: room.folder, name: roomNames.lock, waitMs, where }).finally(
      () => queue.leave(),
    );
    let head: Bookmark | undefined;
    try {
      head = Bookmark.open(files, room.folder, roomNames.head);
      const { log, news } = this.#catchUp(room, lock, head);
      const turn = {
        tree,
        room,
        lock,
        log,
        head,
        folders: this.#folders,
        clock,
        newName: () => `${this.#name}-${this.#names++}`,
        now: () => new Date(clock.now()).toISOString(),
      };
      room.clear();
      if (!head.isAt(log.place)) await finishLast(turn, news);
      return turn;
    } catch (error) {
      head?.close();
      lock.release();
      await this.#closeLog();
      throw error;
    }
  }

  isAwaited({ room }: WriteSession): boolean {
    return this.#queueAt(room).isAwaited();
  }

  async giveBack({ head, lock }: WriteSession, isSpoilt: boolean): Promise<void> {
    try {
      if (isSpoilt) await this.#closeLog();
      // Nobody waiting needs this sync. After a power cut it saves applying again what is known to be applied.
      else await head.sync();
    } finally {
      head.close();
      lock.release();
    }
  }

  async close(): Promise<void> {
    await this.#closeLog();
    this.#room?.close();
    this.#room = undefined;
  }

  #queueAt({ folder }: StoreRoom): Queue {
    const { tree, clock, waitMs } = this.options;
    return new Queue({ files: tree.files, folder, name: this.#name, waitMs, now: clock.now });
  }

  async #openRoom(): Promise<StoreRoom> {
    const { tree } = this.options;
    tree.release();
    if (this.#room && !this.#room.isThere()) await this.close();
    this.#room ??= await StoreRoom.openOrMake(tree);
    return this.#room;
  }

  #catchUp(
    { folder }: StoreRoom,
    lock: Lock,
    head: Bookmark,
  ): { readonly log: Log; readonly news: readonly LogRecord[] } {
    const { files } = this.options.tree;
    if (this.#log) {
      try {
        return { log: this.#log, news: this.#log.catchUp(lock) };
      } catch (error) {
        if (!(error instanceof LogDamaged)) throw error;
        // The log was removed or replaced; read what is there now from the start.
        this.#log.close();
        this.#log = undefined;
      }
    }
    const newId = () => this.options.chance.id(10);
    const opening = { files, folder, name: roomNames.log, version: recordVersion, understands, newId, lock };
    const { logBytesMax } = this.options;
    this.#log = Log.open({
      ...opening,
      ...(head.place && { from: head.place }),
      ...(logBytesMax !== undefined && { bytesMax: logBytesMax }),
    });
    return { log: this.#log, news: this.#log.records };
  }

  async #closeLog(): Promise<void> {
    const log = this.#log;
    this.#log = undefined;
    await log?.finish().catch(() => undefined);
  }
}
