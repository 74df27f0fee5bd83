/** The moments of the demo that tell its story, found in what it wrote to its terminal. */
import { type Cell, Screen, type Size } from "./screen.ts";

export interface Moment {
  readonly name: string;
  /** What is seen on it. */
  readonly shows: RegExp;
  /** Of the screens that show it, the first one; else the last. */
  readonly isFirst?: true;
}

/** Below the line that stands above the live region. */
const live = (text: string) => new RegExp(`^─{50}[\\s\\S]*${text}`, "m");

export const moments: readonly Moment[] = [
  { name: "four at work", shows: live("4 of 4 agents[\\s\\S]* ben ") },
  { name: "an audit failed, and is put right", shows: live("▶ amounts +cleo") },
  { name: "a question, while others go on", shows: live("\\? receipt"), isFirst: true },
  { name: "answered, and done", shows: /✓ done(?![\s\S]*^4 {2})/m },
  { name: "taken back", shows: /Everything is in/ },
];

/** A screen for each moment, in their order. */
export function screensAt(
  wanted: readonly Moment[],
  writes: readonly string[],
  size: Size,
): (readonly (readonly Cell[])[])[] {
  const screen = new Screen(size);
  const found = new Map<Moment, readonly (readonly Cell[])[]>();
  for (const text of writes) {
    screen.write(text);
    const seen = screen.text();
    for (const moment of wanted)
      if (moment.shows.test(seen) && !(moment.isFirst && found.has(moment)))
        found.set(
          moment,
          screen.rows().map((row) => [...row]),
        );
  }
  return wanted.map((moment) => {
    const rows = found.get(moment);
    if (!rows) throw new Error(`the demo has no moment "${moment.name}"`);
    return rows;
  });
}
