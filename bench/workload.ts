/** The words of the bench: contestants do the same work, and are compared by how long they take. */

export interface Workload {
  /** What is typed to run it alone. */
  readonly name: string;
  /** One sentence: the work every contestant does. */
  readonly work: string;
  /** What a reader must know to believe the figures. */
  readonly fairness: readonly string[];
  readonly contestants: readonly Contestant[];
  readonly comparisons: readonly Comparison[];
  /** What else was seen, once all rounds are run. */
  notes?(): readonly string[];
  /** More rounds than asked for, where a single one is short. */
  readonly roundsMin?: number;
}

export interface Contestant {
  readonly name: string;
  /** Everything that is not measured: a fresh folder, a server that is up. */
  prepare(): Promise<Run> | Run;
}

export interface Run {
  /** What is measured. */
  go(): Promise<void> | void;
  /** Throws when the work was not done; then puts away what is still running. */
  end?(): Promise<void> | void;
}

/** How many times as long `slow` takes as `fast`, and how much that may or must be. */
export interface Comparison {
  readonly slow: string;
  readonly fast: string;
  readonly target?: { readonly atMost: number } | { readonly atLeast: number };
}
