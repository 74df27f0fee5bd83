/**
 * Who may come in: whoever has one of the tokens. Compared by their hashes, so that neither length nor content shows in
 * the time it takes, and every token is looked at every time.
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

  /** Which one a header of authorization has, by its place; nothing when it has none of them. */
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
