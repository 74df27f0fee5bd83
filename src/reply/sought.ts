/**
 * What is looked for in a reply: each role's object has its own marks. The way of looking is the same for all, and
 * stands in `extract.ts`.
 */
export interface Sought {
  /** An object in prose is looked at only when it holds one of these texts. */
  readonly mentions: readonly string[];
  look(candidate: Looked): Likeness;
  /** It could be acted on as it is. Asked only when two candidates differ. */
  isSound(value: unknown): boolean;
  /** It is what is sought, with nothing in it: the words around it may say why. */
  isEmpty(value: unknown): boolean;
  readonly words: SoughtWords;
}

export interface Looked {
  /** The candidate as it was written. */
  readonly source: string;
  /** Absent when it is not valid JSON. */
  readonly value?: unknown;
}

export interface Likeness {
  /** It is what is sought, or was before it broke. */
  readonly carries: boolean;
  /** It speaks of what is sought. */
  readonly resembles: boolean;
}

/** How refusals speak of it. */
export interface SoughtWords {
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
