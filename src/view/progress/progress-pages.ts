/**
 * A growing list of entries, split into pages so that the file that is rewritten stays small: a full page is written once
 * to its own file, and `progress.md` shows the last full page and the one being filled.
 *
 * Page breaks depend on the entries alone, so the same log always gives the same pages.
 */

export const progressFolder = "progress";
/** At most two pages of this size are written every second; a page has a few hundred entries. */
const pageBytes = 64 * 1024;

export interface ProgressPage {
  readonly name: string;
  readonly text: string;
}

export class ProgressPages {
  readonly #bytesMax: number;
  #entries: string[] = [];
  #bytes = 0;
  #full = 0;
  #previous = "";
  #unwritten: ProgressPage[] = [];

  constructor(bytesMax = pageBytes) {
    this.#bytesMax = bytesMax;
  }

  add(entry: string): void {
    this.#entries.push(entry);
    this.#bytes += entry.length;
    if (this.#bytes < this.#bytesMax) return;
    const text = this.#entries.join("");
    this.#full += 1;
    this.#unwritten.push({ name: pageName(this.#full), text });
    this.#previous = text;
    this.#entries = [];
    this.#bytes = 0;
  }

  /** The entries of the last full page and of the one being filled. */
  newest(): string {
    return this.#previous + this.#entries.join("");
  }

  /** How many pages are not in `newest`. */
  get earlier(): number {
    return Math.max(0, this.#full - 1);
  }

  /** Full pages not yet reported as written, oldest first. */
  get unwritten(): readonly ProgressPage[] {
    return this.#unwritten;
  }

  written({ name }: ProgressPage): void {
    this.#unwritten = this.#unwritten.filter((page) => page.name !== name);
  }
}

export function pageName(number: number): string {
  return `${progressFolder}/${String(number).padStart(4, "0")}.md`;
}

export function isProgressPage(name: string): boolean {
  return /^\d{4,}\.md$/.test(name);
}
