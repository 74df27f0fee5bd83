/** The port to chance. */
export interface Chance {
  /** A fresh name of so many characters, easy to read aloud. */
  id(length: number): string;
}
