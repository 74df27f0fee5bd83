/**
 * A table of mistakes and layers in `docs/how-we-test.md`, between two marks. `npm run sim` writes it, and a test
 * checks it.
 */

export interface Row<Layer extends string> {
  readonly mistake: string;
  readonly caught: readonly Layer[];
}

export class Matrix<Layer extends string> {
  readonly #begin: string;
  readonly #end: string;

  constructor(
    /** What the mistakes are sown into, as named in the marks. */
    readonly name: string,
    readonly layers: readonly Layer[],
  ) {
    this.#begin = `<!-- the matrix of ${name}, made by: npm run sim -- --write ${name} -->`;
    this.#end = `<!-- end of the matrix of ${name} -->`;
  }

  /** The page with these rows. */
  written(page: string, rows: readonly Row<Layer>[]): string {
    const before = page.slice(0, this.#place(page, this.#begin) + this.#begin.length);
    return `${before}\n${this.#table(rows)}${page.slice(this.#place(page, this.#end))}`;
  }

  /** What the page says about each mistake. */
  read(page: string): Map<string, Layer[]> {
    const from = this.#place(page, this.#begin) + this.#begin.length;
    const rows = page.slice(from, this.#place(page, this.#end)).trim().split("\n").slice(2);
    return new Map(
      rows.map((row) => {
        const [, name = "", ...marks] = row.split("|").map((cell) => cell.trim());
        return [name, this.layers.filter((_, column) => marks[column] === "✗")];
      }),
    );
  }

  #table(rows: readonly Row<Layer>[]): string {
    const lines = [
      `| sown mistake | ${this.layers.join(" | ")} |`,
      `| --- | ${this.layers.map(() => ":-:").join(" | ")} |`,
      ...rows.map(({ mistake, caught }) => {
        const marks = this.layers.map((layer) => (caught.includes(layer) ? "✗" : ""));
        return `| ${mistake} | ${marks.join(" | ")} |`;
      }),
    ];
    return `${lines.join("\n")}\n`;
  }

  #place(page: string, mark: string): number {
    const at = page.indexOf(mark);
    if (at === -1) throw new Error(`docs/how-we-test.md has no ${mark}`);
    return at;
  }
}
