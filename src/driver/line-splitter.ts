/**
 * Bytes as they come → the lines that are complete by then. A line ends at a line feed or a carriage return (progress
 * bars use it alone), blank ones are left out, and of an endless one only the beginning is held.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder("utf-8");
  readonly #lengthMax: number;
  #open = "";
  #leftOut = 0;

  constructor(lengthMax = shownMax) {
    this.#lengthMax = lengthMax;
  }

  push(bytes: Uint8Array, onLine: OnLine): void {
    this.#split(this.#decoder.decode(bytes, { stream: true }), onLine);
  }

  /** The last line needs no line break. */
  end(onLine: OnLine): void {
    this.#split(`${this.#decoder.decode()}\n`, onLine);
  }

  #split(text: string, onLine: OnLine): void {
    const breaks = /[\r\n]+/g;
    let from = 0;
    for (let found = breaks.exec(text); found !== null; found = breaks.exec(text)) {
      this.#grow(text, from, found.index);
      if (/\S/.test(this.#open)) onLine(this.#open, this.#leftOut);
      this.#open = "";
      this.#leftOut = 0;
      from = breaks.lastIndex;
    }
    this.#grow(text, from, text.length);
  }

  #grow(text: string, from: number, end: number): void {
    const room = Math.max(0, this.#lengthMax - this.#open.length);
    const kept = Math.min(end, from + room);
    if (kept > from) this.#open += text.slice(from, kept);
    this.#leftOut += end - kept;
  }
}

/** Of a line that was too long, `leftOut` characters are missing. */
type OnLine = (line: string, leftOut: number) => void;

/** More than is ever shown of a line. */
const shownMax = 2_000;
