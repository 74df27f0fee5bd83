/** The port to chance: names that nobody else has chosen. */
import { randomBytes } from "node:crypto";

export interface Chance {
  /** So many letters and digits, each worth five bits: safe in a file name, a ref, and on the telephone. */
  id(length: number): string;
}

export function nodeChance(): Chance {
  return {
    id: (length) => Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join(""),
  };
}

/** Crockford's base32 in lower case: no i, l, o, u, which are read as others or make words. 32 divides 256, so all are as likely. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
