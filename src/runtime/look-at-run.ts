/** A look at a run that takes no lock and writes nothing: its state as the log says it, and what was heard of it last. */

import type { Recorded } from "../journal/journal.ts";
import { peekJournal, type Seen as SeenRecord } from "../journal/peek-journal.ts";
import type { TurnId } from "../kernel/event.ts";
import { evolve } from "../kernel/evolve.ts";
import { initialState } from "../kernel/initial.ts";
import type { OwnState } from "../kernel/state.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import type { LastSign, Liveness, Seen } from "../view/liveness.ts";
import type { Moment } from "../view/run-times.ts";
import type { Files } from "../world/files.ts";
import { isWritten } from "./is-written.ts";
import type { RunFolder } from "./run-folder.ts";

export class RunLook {
  readonly #state: OwnState = initialState();
  readonly #peek: ReturnType<typeof peekJournal>;

  constructor(
    private readonly files: Files,
    private readonly folder: RunFolder,
  ) {
    this.#peek = peekJournal(files, folder.path);
  }

  /** What was recorded since the last time, in this version's words; events of a newer one are left out. */
  async read(): Promise<readonly Recorded[]> {
    return (await this.readAll()).flatMap((one) => (one.known ? [one] : []));
  }

  /** The same with those of a newer version, as they were written. */
  async readAll(): Promise<readonly SeenRecord[]> {
    const records = await this.#peek.read();
    for (const one of records) if (one.known) evolve(this.#state, one);
    return records;
  }

  /** `at` is wall time in milliseconds. */
  seen(at: number): Seen {
    const isAlive = isWritten(this.files, this.folder);
    const live = this.#live();
    const since = live && isAlive ? Math.max(0, at - live.at) : 0;
    const time = Math.max(this.#state.time, (live?.time ?? 0) + since);
    return { state: this.#state, now: { at, time }, liveness: this.#liveness(isAlive, live) };
  }

  close(): void {
    this.#peek.close();
    this.folder.close();
  }

  #liveness(isAlive: boolean, live: Live | undefined): Liveness {
    const turns = new Map(Object.entries(live?.turns ?? {}).map(([turn, sign]) => [turn as TurnId, sign]));
    return { isAlive, turns: isAlive ? turns : new Map(), checks: new Map() };
  }

  #live(): Live | undefined {
    const bytes = this.folder.read("live.json");
    try {
      return bytes && (JSON.parse(decodeUtf8(bytes)) as Live);
    } catch {
      // A view that was spoilt costs nothing but what it said.
      return undefined;
    }
  }
}

interface Live extends Moment {
  readonly turns: Readonly<Record<string, LastSign>>;
}
