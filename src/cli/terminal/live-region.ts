/**
 * Lines at the bottom of a terminal that redraw themselves, below lines that stay. It uses no alternate screen, so
 * everything that stays can be scrolled back to and copied. `end` restores the cursor and wipes the region; callers
 * also run it on exit.
 */
export interface ScreenPort {
  write(text: string): void;
}

const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";

export class LiveRegion {
  #shown = 0;
  #isOpen = true;

  constructor(private readonly screen: ScreenPort) {
    screen.write(hideCursor);
  }

  /** Adds permanent lines above the region, and draws the region again below them. */
  add(lines: readonly string[], frame: readonly string[]): void {
    if (!this.#isOpen) return;
    const text = lines.map((line) => `${line}\n`).join("");
    this.screen.write(`${this.#erase()}${text}${this.#draw(frame)}`);
  }

  show(frame: readonly string[]): void {
    this.add([], frame);
  }

  /** Wipes the region and restores the cursor while the process is stopped. */
  pause(): void {
    if (!this.#isOpen) return;
    this.screen.write(`${this.#erase()}${showCursor}`);
    this.#shown = 0;
  }

  /** The next frame is drawn below whatever is on the screen by then. */
  resume(): void {
    if (this.#isOpen) this.screen.write(hideCursor);
  }

  /** Wipes the region and restores the cursor. Calling it again changes nothing. */
  end(): void {
    this.pause();
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
