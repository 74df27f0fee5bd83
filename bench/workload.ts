/** The types of the benchmark: contestants do the same work and are compared by how long they take. */

export interface Workload {
  /** The name to type to run it alone. */
  readonly name: string;
  /** One sentence: the work every contestant does. */
  readonly work: string;
  /** What a reader must know to trust the figures. */
  readonly fairness: readonly string[];
  readonly contestants: readonly Contestant[];
  readonly comparisons: readonly Comparison[];
  /** Other observations, once all rounds have run. */
  notes?(): readonly string[];
  /** The minimum number of rounds, for workloads whose rounds are short. */
  readonly roundsMin?: number;
}

export interface Contestant {
  readonly name: string;
  /** Does everything that is not measured: a fresh folder, a running server. */
  prepare(): Promise<Run> | Run;
}

export interface Run {
  /** The part that is measured. */
  go(): Promise<void> | void;
  /** Throws if the work was not done; then stops what is still running. */
  end?(): Promise<void> | void;
}

/** How many times as long `slow` takes as `fast`, and the allowed or required ratio. */
export interface Comparison {
  readonly slow: string;
  readonly fast: string;
  readonly target?: { readonly atMost: number } | { readonly atLeast: number };
}
