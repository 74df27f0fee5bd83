/**
 * A terminal that only remembers: text with escape codes → what stands on the screen, in which style. It knows what our own
 * output uses (colours, cursor up, erasing, carriage returns), and refuses what it does not know rather than draw it wrongly.
 */
export interface Style {
  /** An ANSI colour, 0 to 7. */
  readonly colour?: number;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
}

export interface Cell {
  readonly character: string;
  readonly style: Style;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const blank: Cell = { character: " ", style: {} };

export class Screen {
  /** Everything that was ever written, what has scrolled away too. */
  readonly #lines: Cell[][] = [[]];
  #row = 0;
  #column = 0;
  #style: Style = {};
  /** The beginning of an escape code whose end has not come yet. */
  #rest = "";

  constructor(private readonly size: Size) {}

  write(text: string): void {
    const all = this.#rest + text;
    this.#rest = "";
    for (let at = 0; at < all.length; ) {
      const code = codeAt(all, at);
      if (code === "unfinished") {
        this.#rest = all.slice(at);
        return;
      }
      if (code) this.#obey(code);
      const character = code ? "" : String.fromCodePoint(all.codePointAt(at) ?? 0);
      if (!code) this.#put(character);
      at += code?.length ?? character.length;
    }
  }

  /** The rows that are seen, from the top. */
  rows(): readonly (readonly Cell[])[] {
    return this.#lines.slice(this.#top());
  }

  /** What is seen, without styles and without blanks at the ends of lines. */
  text(): string {
    return this.rows().map(rowText).join("\n");
  }

  #top(): number {
    return Math.max(0, this.#lines.length - this.size.rows);
  }

  #put(character: string): void {
    if (character === "\r") this.#column = 0;
    else if (character === "\n") this.#down();
    else if (character < " ") throw new Error(`a terminal is sent ${JSON.stringify(character)}`);
    else {
      // A full line is left only when something more is written.
      if (this.#column === this.size.columns) {
        this.#column = 0;
        this.#down();
      }
      const line = this.#line();
      while (line.length < this.#column) line.push(blank);
      line[this.#column] = { character, style: this.#style };
      this.#column += 1;
    }
  }

  #down(): void {
    this.#row += 1;
    if (this.#row === this.#lines.length) this.#lines.push([]);
  }

  #line(): Cell[] {
    const line = this.#lines[this.#row];
    if (!line) throw new Error("the cursor is on a line");
    return line;
  }

  #obey({ letter, values }: Code): void {
    const [first = 0] = values;
    if (letter === "m") this.#style = styled(this.#style, values);
    else if (letter === "A") this.#row = Math.max(this.#top(), this.#row - Math.max(1, first));
    else if (letter === "K" && first === 0) this.#line().splice(this.#column);
    else if (letter === "J" && first === 0) {
      this.#line().splice(this.#column);
      this.#lines.splice(this.#row + 1);
    } else if (letter !== "h" && letter !== "l")
      throw new Error(`a terminal is sent ESC [ ${first} ${letter}`);
  }
}

function rowText(row: readonly Cell[]): string {
  return row
    .map(({ character }) => character)
    .join("")
    .trimEnd();
}

interface Code {
  readonly letter: string;
  readonly values: readonly number[];
  readonly length: number;
}

/** Nothing where no code begins. */
function codeAt(text: string, at: number): Code | "unfinished" | undefined {
  if (text[at] !== "\u001b") return undefined;
  const [whole, values = "", letter = ""] =
    /^\u001b\[\??([\d;]*)([A-Za-z])/.exec(text.slice(at, at + 40)) ?? [];
  if (whole === undefined) {
    if (/^\u001b(?:\[\??[\d;]*)?$/.test(text.slice(at))) return "unfinished";
    throw new Error(`a terminal is sent ${JSON.stringify(text.slice(at, at + 10))}`);
  }
  return { letter, values: values.split(";").map(Number), length: whole.length };
}

function styled(style: Style, values: readonly number[]): Style {
  return values.reduce(withValue, style);
}

function withValue({ colour, isBold, isDim }: Style, value: number): Style {
  const now = {
    ...(colour === undefined ? {} : { colour }),
    ...(isBold ? { isBold } : {}),
    ...(isDim ? { isDim } : {}),
  };
  if (value === 0) return {};
  if (value === 1) return { ...now, isBold: true };
  if (value === 2) return { ...now, isDim: true };
  if (value === 22) return colour === undefined ? {} : { colour };
  if (value >= 30 && value <= 37) return { ...now, colour: value - 30 };
  if (value >= 90 && value <= 97) return { ...now, colour: value - 90 };
  if (value !== 39) throw new Error(`a terminal is sent the style ${value}`);
  const { colour: _, ...plain } = now;
  return plain;
}
