/** A text of which pieces are asked for, one here and one there. Every string is one. */
export interface Sliceable {
  readonly length: number;
  slice(start: number, end: number): string;
}
