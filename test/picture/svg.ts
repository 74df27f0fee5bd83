/**
 * Screens → a picture of a terminal window. Several are shown one after the other; where nothing may move, or nothing can, the
 * still one is seen. Nothing in it comes from elsewhere, and every run of characters has its place and width, so that it looks
 * the same with any font.
 */
import type { Cell, Size, Style } from "./screen.ts";

export interface SvgCanvas extends Size {
  readonly title: string;
  /** For those who do not see it. */
  readonly description: string;
  readonly screens: readonly (readonly (readonly Cell[])[])[];
  /** Which screen is seen where nothing moves. */
  readonly still: number;
}

const cell = { width: 8.4, height: 18 };
const margin = 16;
const bar = 36;
const secondsEach = 4;

export function svg({ columns, rows, title, description, screens, still }: SvgCanvas): string {
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = bar + rows * cell.height + margin;
  const frames = screens.map((screen, at) => {
    const classes = at === still ? `s f${at}` : `f${at}`;
    return `<g class="${classes}">\n${screen.slice(0, rows).map(rowSvg).join("")}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t d">
<title id="t">${escaped(title)}</title>
<desc id="d">${escaped(description)}</desc>
<style>
${styles(screens.length)}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/><circle cx="60" cy="18" r="6" fill="#28c840"/>
<text class="w" x="${width / 2}" y="22">${escaped(title)}</text>
${frames.join("\n")}
</svg>
`;
}

/** Black and white are for the background and for plain text. */
const colours = ["#8b949e", "#ff7b72", "#3fb950", "#e3b341", "#58a6ff", "#bc8cff", "#39c5cf", "#f0f6fc"];

function styles(count: number): string {
  const names = Array.from({ length: count }, (_, at) => at);
  return [
    'text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:#c9d1d9;white-space:pre}',
    ".w{text-anchor:middle;fill:#8b949e;font-size:13px}",
    ".b{font-weight:700}.d{fill:#8b949e}",
    colours.map((colour, at) => `.c${at}{fill:${colour}}`).join(""),
    "g{visibility:hidden}.s{visibility:visible}",
    `@media (prefers-reduced-motion:no-preference){${names
      .map((at) => `.f${at}{animation:f${at} ${count * secondsEach}s step-end infinite}`)
      .join("")}}`,
    ...names.map((at) => `@keyframes f${at}{${turns(at, count)}}`),
  ].join("\n");
}

function turns(at: number, count: number): string {
  const percent = (part: number) => `${Number(((100 * part) / count).toFixed(2))}%`;
  const hidden = at === 0 ? "" : "0%{visibility:hidden}";
  return `${hidden}${percent(at)}{visibility:visible}${at + 1 < count ? `${percent(at + 1)}{visibility:hidden}` : ""}`;
}

function rowSvg(row: readonly Cell[], number: number): string {
  const y = bar + number * cell.height + 13;
  const runs = runsOf(row).map(({ column, text, style }) => {
    const classes = classesOf(style);
    const named = classes === "" ? "" : ` class="${classes}"`;
    const x = rounded(margin + column * cell.width);
    return `<tspan x="${x}" textLength="${rounded(text.length * cell.width)}"${named}>${escaped(text)}</tspan>`;
  });
  return runs.length === 0 ? "" : `<text y="${y}">${runs.join("")}</text>\n`;
}

interface Run {
  readonly column: number;
  readonly text: string;
  readonly style: Style;
}

/** Characters of one style that stand together; a gap of blanks ends a run. */
function runsOf(row: readonly Cell[]): Run[] {
  const runs: Run[] = [];
  let column = 0;
  while (column < row.length) {
    const { style } = row[column] ?? { style: {} };
    let end = column;
    while (end < row.length && sameLook(row[end]?.style, style)) end += 1;
    const text = row
      .slice(column, end)
      .map(({ character }) => character)
      .join("");
    for (const piece of text.matchAll(/\S+(?: \S+)*/g))
      runs.push({ column: column + piece.index, text: piece[0], style });
    column = end;
  }
  return runs;
}

function sameLook(one: Style | undefined, other: Style): boolean {
  return one !== undefined && classesOf(one) === classesOf(other);
}

function classesOf({ colour, isBold, isDim }: Style): string {
  const fill = isDim ? "d" : colour === undefined ? "" : `c${colour}`;
  return [isBold ? "b" : "", fill].filter((name) => name !== "").join(" ");
}

function rounded(number: number): number {
  return Number(number.toFixed(1));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
