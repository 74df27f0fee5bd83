/**
 * Splits incoming bytes into lines of limited length. A longer line is discarded and reported once; reading continues
 * after its end.
 */
export interface LineListener {
  line(text: string): void;
  tooLong(): void;
}

export class LineReader {
  #pieces: Uint8Array[] = [];
  #length = 0;
  #isSkipping = false;

  constructor(
    private readonly bytesMax: number,
    private readonly listener: LineListener,
  ) {}

  push(bytes: Uint8Array): void {
    let from = 0;
    for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, from)) {
      this.#keep(bytes.subarray(from, at));
      this.#end();
      from = at + 1;
    }
    this.#keep(bytes.subarray(from));
  }

  /** The last line needs no line break. */
  end(): void {
    if (this.#length > 0) this.#end();
  }

  #keep(bytes: Uint8Array): void {
    if (this.#isSkipping || bytes.length === 0) return;
    this.#length += bytes.length;
    if (this.#length <= this.bytesMax) {
      this.#pieces.push(bytes);
      return;
    }
    this.#pieces = [];
    this.#isSkipping = true;
    this.listener.tooLong();
  }

  #end(): void {
    const text = this.#isSkipping ? "" : Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#length = 0;
    this.#isSkipping = false;
    if (text.trim() !== "") this.listener.line(text);
  }
}

const lineFeed = 10;
