/** The port to randomness. */
export interface Chance {
  /** A fresh random name of `length` characters, easy to read aloud. */
  id(length: number): string;
}
