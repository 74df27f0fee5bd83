/**
 * Splits bytes, or text, into lines as they arrive. A line ends at a line feed or a carriage return (progress bars use only
 * that). Blank lines are skipped, and only the beginning of an endless line is kept.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder("utf-8");
  readonly #lengthMax: number;
  #open = "";

  constructor(lengthMax = shownMax) {
    this.#lengthMax = lengthMax;
  }

  push(output: Uint8Array | string, onLine: (line: string) => void): void {
    const text = typeof output === "string" ? output : this.#decoder.decode(output, { stream: true });
    this.#split(text, onLine);
  }

  /** Call this at the end: the last line needs no line break. */
  end(onLine: (line: string) => void): void {
    this.#split(`${this.#decoder.decode()}\n`, onLine);
  }

  #split(text: string, onLine: (line: string) => void): void {
    const breaks = /[\r\n]+/g;
    let from = 0;
    for (let found = breaks.exec(text); found !== null; found = breaks.exec(text)) {
      this.#grow(text, from, found.index);
      if (/\S/.test(this.#open)) onLine(this.#open);
      this.#open = "";
      from = breaks.lastIndex;
    }
    this.#grow(text, from, text.length);
  }

  #grow(text: string, from: number, end: number): void {
    const room = this.#lengthMax - this.#open.length;
    if (room > 0) this.#open += text.slice(from, Math.min(end, from + room));
  }
}

/** More than we ever show of a line. */
const shownMax = 2_000;
