/**
 * Describes the object to look for in a reply: each role's object has its own marks. The search itself is the same for
 * all roles and is in `extract.ts`.
 */
export interface ExpectedObject {
  /** An object in prose is considered only if it contains one of these texts. */
  readonly mentions: readonly string[];
  look(candidate: CandidateFacts): CandidateMatch;
  /** Whether it could be acted on as it is. Used only when two candidates differ. */
  isSound(value: unknown): boolean;
  /** Whether it is the expected object but empty: the words around it may say why. */
  isEmpty(value: unknown): boolean;
  readonly words: ExpectedWords;
}

export interface CandidateFacts {
  /** The candidate as written. */
  readonly source: string;
  /** Missing if it is not valid JSON. */
  readonly value?: unknown;
}

export interface CandidateMatch {
  /** It is the expected object, or was before it broke. */
  readonly carries: boolean;
  /** It mentions what is expected. */
  readonly resembles: boolean;
}

/** The words that refusals use for it. */
export interface ExpectedWords {
  /** "operations" */
  readonly plural: string;
  /** "file_operations" */
  readonly field: string;
  /** "lists of operations" */
  readonly two: string;
  /** "one list with all operations" */
  readonly one: string;
  readonly answerWith: string;
}
