/**
 * Finds the runs in which something happened by checking the sizes of their logs once a second. Kernel notifications
 * would be no cheaper: the folder of an active run is written all the time.
 */
export class RunWatch {
  #known: ReadonlyMap<string, string>;

  /** `stamps` returns the stamps of the logs, by run. */
  constructor(
    private readonly stamps: () => ReadonlyMap<string, string>,
    private readonly tell: (runs: readonly string[]) => void,
  ) {
    this.#known = stamps();
  }

  begin(): () => void {
    const looking = setInterval(() => this.#look(), lookEveryMs).unref();
    return () => clearInterval(looking);
  }

  #look(): void {
    const before = this.#known;
    const now = this.#lookQuietly();
    this.#known = now;
    const changed = [...now].flatMap(([run, stamp]) => (before.get(run) === stamp ? [] : [run]));
    const gone = [...before.keys()].filter((run) => !now.has(run));
    if (changed.length + gone.length > 0) this.tell([...changed, ...gone]);
  }

  #lookQuietly(): ReadonlyMap<string, string> {
    try {
      return this.stamps();
    } catch {
      // A folder that cannot be read now has nothing new to report; whoever asks for a run gets the reason.
      return this.#known;
    }
  }
}

const lookEveryMs = 1000;
