/**
 * Takes secrets out of lines that are kept for people to read, by the shapes that their issuers gave them. A key that goes on
 * over several lines is followed to its end.
 */
import { secretShapes } from "./secret-content.ts";

export class SecretMask {
  /** Lines that may still belong to a private key. */
  #keyLines = 0;

  /** Of one stream, in the order in which they came. */
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
/** To its end, where that stands in the same text: an event has line breaks written out. */
const privateKey =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END)[\s\S])*(?:-----END[A-Z0-9 ]{0,80}-----)?/g;
/** The longest key of 16,384 bits has some more than 200. */
const keyLinesMax = 300;
