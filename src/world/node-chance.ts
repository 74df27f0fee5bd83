/** Randomness from the operating system. */
import { randomBytes } from "node:crypto";
import type { Chance } from "./chance.ts";

/**
 * 32 characters, so five bits pick one without bias. Leaves out i, l, o and u, which are easily misread or misheard.
 */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export const nodeChance: Chance = {
  id: (length) => Array.from(randomBytes(length), (byte) => alphabet[byte & 31]).join(""),
};
