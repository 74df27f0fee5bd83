/**
 * Masks secrets in lines that are kept for people to read, recognising them by their issuers' formats. A key that spans
 * several lines is masked to its end.
 */
import { secretShapes } from "./secret-content.ts";

export class SecretMask {
  /** How many more lines may belong to a private key. */
  #keyLines = 0;

  /** Pass the lines of one stream, in order. */
  masked(line: string): string {
    if (this.#keyLines > 0) {
      const [ends] = /-----END[^\n]*/.exec(line) ?? [];
      this.#keyLines = ends === undefined ? this.#keyLines - 1 : 0;
      if (ends === undefined) return keyWords;
    }
    const keyless = line.replace(privateKey, (key) => {
      if (!key.includes("-----END")) this.#keyLines = keyLinesMax;
      return keyWords;
    });
    return secretShapes.reduce((text, { what, pattern }) => text.replace(pattern, `[${what}]`), keyless);
  }
}

const keyWords = "[a private key]";
/** Up to the end of the key, if that is in the same text: events have line breaks written out. */
const privateKey =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END)[\s\S])*(?:-----END[A-Z0-9 ]{0,80}-----)?/g;
/** The longest key, of 16,384 bits, has a little over 200 lines. */
const keyLinesMax = 300;
