/**
 * Finds out in which runs something happened, by a look at the logs' sizes once a second. Signs from the kernel would be
 * no cheaper: the folder of a run that is at work is written all the time.
 */
export class RunWatch {
  #known: ReadonlyMap<string, string>;

  /** `stamps` are those of the logs, by run. */
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
      // A folder that cannot be read now has nothing new to tell; whoever asks for a run is told why.
      return this.#known;
    }
  }
}

const lookEveryMs = 1000;
