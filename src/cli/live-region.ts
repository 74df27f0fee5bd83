/**
 * Lines at the bottom of a terminal that replace themselves, below lines that stay. No alternate screen: everything that
 * stays can be scrolled back to and copied. However the process ends, the cursor is back and the region is gone.
 */
export interface Screen {
  write(text: string): void;
}

const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";

export class LiveRegion {
  #shown = 0;
  #isOpen = true;

  constructor(private readonly screen: Screen) {
    screen.write(hideCursor);
  }

  /** Lines that stay, above the region, which is shown again below them. */
  add(lines: readonly string[], frame: readonly string[]): void {
    if (!this.#isOpen) return;
    const text = lines.map((line) => `${line}\n`).join("");
    this.screen.write(`${this.#erase()}${text}${this.#draw(frame)}`);
  }

  show(frame: readonly string[]): void {
    this.add([], frame);
  }

  /** Wipes the region and gives the cursor back. Calling it again changes nothing. */
  end(): void {
    if (!this.#isOpen) return;
    this.screen.write(`${this.#erase()}${showCursor}`);
    this.#isOpen = false;
  }

  #erase(): string {
    const up = this.#shown > 0 ? `\x1b[${this.#shown}A` : "";
    return `${up}\r\x1b[J`;
  }

  #draw(frame: readonly string[]): string {
    this.#shown = frame.length;
    return frame.map((line) => `${line}\x1b[K\n`).join("");
  }
}
