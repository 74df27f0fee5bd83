/**
 * Who changed what, according to the log. Reads without a lock, and after the first time only what was added.
 *
 * Only complete records are seen. Withdrawn changes are left out, as if they had never been written.
 */

import type { Deed } from "../document/store.ts";
import { LogDamaged } from "../durable/log-damaged.ts";
import { beginning, type LogPosition, scanLog } from "../durable/scan.ts";
import type { Files, Folder } from "../world/files/files.ts";
import { changeIn, deedOf, withdrawnIn } from "./record.ts";
import { roomNames } from "./store-room.ts";

export class History {
  #from: LogPosition = beginning;
  #inode: number | undefined;
  readonly #deeds = new Map<number, Deed>();

  /** `folder` is where the log lies; undefined if nothing was ever changed. */
  read(files: Files, folder: Folder | undefined): readonly Deed[] {
    const found = folder && files.stat(folder, roomNames.log);
    if (!folder || !found || found.inode !== this.#inode) this.#forget(found?.inode);
    if (folder && found && found.size !== this.#from.offset) this.#readOn(files, folder);
    return [...this.#deeds.values()];
  }

  #readOn(files: Files, folder: Folder): void {
    const file = files.open(folder, roomNames.log, "read");
    try {
      const { size } = files.statOf(file);
      if (size < this.#from.offset) this.#forget(this.#inode);
      const { offset } = this.#from;
      const { records, end, damage } = scanLog(files.read(file, offset, size - offset), this.#from);
      if (damage) throw new LogDamaged("LOG_CORRUPT", roomNames.log, damage.why, damage);
      for (const record of records) {
        const change = changeIn(record);
        const taken = withdrawnIn(record);
        if (change) this.#deeds.set(record.seq, deedOf(record, change));
        if (taken !== undefined) this.#deeds.delete(taken);
      }
      this.#from = end;
    } finally {
      files.close(file);
    }
  }

  #forget(inode: number | undefined): void {
    this.#from = beginning;
    this.#inode = inode;
    this.#deeds.clear();
  }
}
