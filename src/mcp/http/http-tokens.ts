/**
 * Lets in whoever has one of the tokens. Tokens are compared by hash, and all of them every time, so that the time it
 * takes reveals neither their length nor their content.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

export class Tokens {
  readonly #hashes: readonly Buffer[];

  constructor(tokens: readonly string[]) {
    this.#hashes = tokens.map(hashOf);
  }

  static random(): string {
    return randomBytes(32).toString("base64url");
  }

  /** The index of the token in an Authorization header; undefined if it is none of ours. */
  ownerOf(authorization: string | undefined): number | undefined {
    const [, token = ""] = /^bearer +(.+)$/i.exec(authorization?.trim() ?? "") ?? [];
    const hash = hashOf(token);
    let owner: number | undefined;
    this.#hashes.forEach((known, at) => {
      if (timingSafeEqual(hash, known)) owner = at;
    });
    return owner;
  }
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
