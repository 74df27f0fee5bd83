/**
 * Turns bytes, or text, into text of whole lines as they arrive. Lines that arrive together are passed on together, so the cost
 * of a flood depends on its bytes and not on its number of lines. Only the beginning of a line longer than a piece is
 * passed on.
 */
export class WholeLines {
  readonly #decoder = new TextDecoder("utf-8");
  #open = "";
  #leftOut = 0;

  constructor(private readonly lengths: { readonly piece: number; readonly line: number }) {}

  push(output: Uint8Array | string, onText: OnText): void {
    const text = typeof output === "string" ? output : this.#decoder.decode(output, { stream: true });
    this.#take(text, onText);
  }

  /** Call this at the end: the last line needs no line break. */
  end(onText: OnText): void {
    this.#take(`${this.#decoder.decode()}\n`, onText);
  }

  #take(text: string, onText: OnText): void {
    const last = text.lastIndexOf("\n");
    if (last === -1) {
      this.#hold(text);
      return;
    }
    let whole = text.slice(0, last);
    if (this.#leftOut > 0) {
      const [rest = ""] = whole.split("\n", 1);
      onText(this.#open, this.#leftOut + rest.length);
      whole = whole.slice(rest.length + 1);
    } else whole = this.#open + whole;
    this.#open = "";
    this.#leftOut = 0;
    this.#cut(whole, onText);
    this.#hold(text.slice(last + 1));
  }

  #cut(whole: string, onText: OnText): void {
    const { piece, line } = this.lengths;
    for (let from = 0; from < whole.length; ) {
      const isLast = whole.length - from <= piece;
      const to = isLast ? whole.length : whole.lastIndexOf("\n", from + piece);
      if (to > from || isLast) {
        onText(whole.slice(from, to), 0);
        from = to + 1;
        continue;
      }
      const end = whole.indexOf("\n", from + piece);
      const lineEnd = end === -1 ? whole.length : end;
      const kept = Math.min(lineEnd, from + line);
      onText(whole.slice(from, kept), lineEnd - kept);
      from = lineEnd + 1;
    }
  }

  #hold(text: string): void {
    const kept = text.slice(0, Math.max(0, this.lengths.line - this.#open.length));
    this.#open += kept;
    this.#leftOut += text.length - kept.length;
  }
}

/** `leftOut` is how many characters are missing at the end of `text`. */
type OnText = (text: string, leftOut: number) => void;
