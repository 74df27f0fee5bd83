/** A text that is read in pieces, here and there. Every string is one. */
export interface Sliceable {
  readonly length: number;
  slice(start: number, end: number): string;
}
