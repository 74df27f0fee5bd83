/** A line of text around the words searched for, which are marked: `the **parser** reads`. */
import { dangerous } from "../../std/unicode.ts";
import { eachWord, type Query } from "./words.ts";

const width = 160;
/** If nothing is found within this many characters, the beginning of the text is shown. */
const lookMax = 100_000;

export function snippet(text: string, { terms }: Query): string {
  const wanted = new Set(terms.map(({ word }) => word));
  const beginnings = terms.flatMap(({ word, goesOn }) => (goesOn ? [word] : []));
  const found: { word: string; start: number; end: number }[] = [];
  eachWord(text.slice(0, lookMax), (word, start, end) => {
    const isFound = wanted.has(word) || beginnings.some((beginning) => word.startsWith(beginning));
    const last = found.at(-1);
    if (!isFound) return;
    // Character pairs overlap, and the parts of a word lie inside it.
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else found.push({ word, start, end });
  });
  const best = bestWindow(found);
  const from = wordStart(text, Math.max(0, best - 40));
  const to = wordEnd(text, Math.min(text.length, from + width));
  let marked = "";
  let at = from;
  for (const { start, end } of found) {
    if (start < from || end > to) continue;
    marked += `${text.slice(at, start)}**${text.slice(start, end)}**`;
    at = end;
  }
  const line = (marked + text.slice(at, to))
    .replace(/\s+/g, " ")
    .replace(dangerous, "")
    .replace(/ +/g, " ")
    .trim();
  return `${from > 0 ? "… " : ""}${line}${to < text.trimEnd().length ? " …" : ""}`;
}

/** The start of the window with the most distinct words. */
function bestWindow(found: readonly { word: string; start: number }[]): number {
  let best = { start: 0, count: 0 };
  const inside = new Map<string, number>();
  let first = 0;
  for (const { word, start } of found) {
    inside.set(word, (inside.get(word) ?? 0) + 1);
    for (let old = found[first]; old && old.start < start - width + 60; old = found[first]) {
      const left = (inside.get(old.word) ?? 1) - 1;
      if (left === 0) inside.delete(old.word);
      else inside.set(old.word, left);
      first += 1;
    }
    if (inside.size > best.count) best = { start: found[first]?.start ?? 0, count: inside.size };
  }
  return best.start;
}

function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const blank = text.slice(at, at + 30).search(/\s/);
  return blank === -1 ? at + surrogate(text, at) : at + blank + 1;
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const blank = text.slice(Math.max(0, at - 30), at).search(/\s\S*$/);
  return blank === -1 ? at + surrogate(text, at) : Math.max(0, at - 30) + blank;
}

/** 1 if a cut here would split a surrogate pair. */
function surrogate(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? 1 : 0;
}
