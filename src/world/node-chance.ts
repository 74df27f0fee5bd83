/** Chance from the machine's own source of it. */
import { randomBytes } from "node:crypto";
import type { Chance } from "./chance.ts";

/** 32 characters, so that five bits choose one without bias; without i, l, o and u, which are misread or misheard. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export const nodeChance: Chance = {
  id: (length) => Array.from(randomBytes(length), (byte) => alphabet[byte & 31]).join(""),
};
