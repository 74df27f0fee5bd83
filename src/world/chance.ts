/** The port to randomness, and randomness from the operating system. */
import { randomBytes } from "node:crypto";

export interface Chance {
  /** A fresh random name of `length` characters, easy to read aloud. */
  id(length: number): string;
}

/**
 * 32 characters, so five bits pick one without bias. Leaves out i, l, o and u, which are easily misread or misheard.
 */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export const nodeChance: Chance = {
  id: (length) => Array.from(randomBytes(length), (byte) => alphabet[byte & 31]).join(""),
};
