/**
 * Splits a text into words for the search: letters and digits of any script, and emoji, all folded.
 *
 * Scripts without spaces between words (Chinese, Japanese, Thai) give pairs of characters, and the last character
 * alone, so that every character starts a word. `camelCase` gives its parts as well as the whole. Each character is
 * looked at a bounded number of times.
 */
export type EachWord = (word: string, start: number, end: number) => void;

export function eachWord(text: string, each: EachWord): void {
  for (let at = 0; at < text.length; ) {
    const kind = kindAt(text, at);
    if (kind === 0) {
      at += 1;
      continue;
    }
    // Nearly all words are plain ASCII, and a pattern for all scripts is five times slower on them.
    let end = at;
    let kinds = 0;
    for (let next: number = kind; next !== 0 && next !== other; next = kindAt(text, end)) {
      kinds |= next;
      end += 1;
    }
    if (kindAt(text, end) === other) end = otherRun(text, at, each);
    else plainWord(text.slice(at, end), { start: at, hasCapitals: (kinds & capital) !== 0, each });
    at = end;
  }
}

/** A query; each word appears once. */
export interface Query {
  readonly terms: readonly Term[];
}

export interface Term {
  readonly word: string;
  /** It may be the beginning of a word: true for the last term, if nothing follows it. */
  readonly goesOn: boolean;
}

export function readQuery(query: string): Query {
  const terms = new Map<string, Term>();
  let last = { word: "", end: -1 };
  eachWord(query, (word, start, end) => {
    // The parts of a camelCase word lie inside the whole, which comes first; so does the last of several characters.
    const isPair = isUnspaced(word) && [...word].length > 1;
    if (start < last.end && !isPair) return;
    last = { word, end };
    terms.set(word, { word, goesOn: isUnspaced(word) && !isPair });
  });
  if (last.end === query.length && !isUnspaced(last.word)) {
    // Put it last, and make sure that it is among those kept.
    terms.delete(last.word);
    return { terms: [...[...terms.values()].slice(0, termsMax - 1), { word: last.word, goesOn: true }] };
  }
  return { terms: [...terms.values()].slice(0, termsMax) };
}

/**
 * Folds spellings of a word together: ignores case and accents, `ß` becomes `ss`, and variant characters (`ﬁ`,
 * full-width letters) become the usual ones.
 */
export function fold(word: string): string {
  const bare = bareOf(word);
  if (isPlain(bare)) return bare.toLowerCase();
  // Go through upper case: there ß and ſ, ı and the two small sigmas coincide with what they count as.
  return bareOf(bare.toLowerCase().toUpperCase().toLowerCase()).replaceAll("ς", "σ");
}

function bareOf(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "");
}

function isPlain(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (word.charCodeAt(at) > 127) return false;
  return true;
}

/** Longer words are cut to this length: nobody searches for a hash by its end. */
const wordLengthMax = 40;
/** As many as fit into the bits of an integer that records which were found. */
const termsMax = 30;

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

function isUnspaced(word: string): boolean {
  return unspaced.test(word);
}

const small = 1;
const capital = 2;
const other = 4;

/** 0 for what cannot be in a word; `other` for what is not ASCII and may be. */
function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? (kinds[unit] ?? 0) : unit >= 128 ? other : 0;
}

const kinds = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[a-z0-9]/.test(character) ? small : /[A-Z]/.test(character) ? capital : 0;
});

function plainWord(
  run: string,
  { start, hasCapitals, each }: { start: number; hasCapitals: boolean; each: EachWord },
): void {
  const word = run.length > wordLengthMax ? run.slice(0, wordLengthMax) : run;
  each(hasCapitals ? word.toLowerCase() : word, start, start + run.length);
  if (!hasCapitals || run.length > wordLengthMax || !/[a-z][A-Z]/.test(run)) return;
  let from = start;
  for (const part of run.split(/(?<=[a-z])(?=[A-Z])/)) {
    each(part.toLowerCase(), from, from + part.length);
    from += part.length;
  }
}

/** Handles a run with non-ASCII characters; returns where it ends. */
function otherRun(text: string, start: number, each: EachWord): number {
  const run = matchAt(letters, text, start);
  if (run === undefined) return emoji(text, start, each);
  let from = start;
  for (const part of isUnspaced(run) ? run.split(splitScripts) : [run]) {
    if (isUnspaced(part)) pairs(part, from, each);
    else word(part, from, each);
    from += part.length;
  }
  return start + run.length;
}

const letters = /[\p{L}\p{N}\p{M}]+/uy;
const splitScripts = new RegExp(`((?:${unspaced.source}[\\p{M}\\u{ff9e}\\u{ff9f}]*)+)`, "u");

/** Combining marks alone are not a word. */
function word(part: string, start: number, each: EachWord): void {
  if (isPlain(part)) {
    if (part !== "") plainWord(part, { start, hasCapitals: /[A-Z]/.test(part), each });
    return;
  }
  const folded = fold(part.slice(0, wordLengthMax));
  if (folded !== "") each(folded, start, start + part.length);
}

function pairs(run: string, start: number, each: EachWord): void {
  const characters = run.match(character) ?? [];
  let from = start;
  for (const [at, one] of characters.entries()) {
    const next = characters[at + 1] ?? "";
    each((one + next).normalize("NFKC"), from, from + one.length + next.length);
    from += one.length;
  }
}

/** A half-width character is followed by its voicing mark. */
const character = /.[\u{ff9e}\u{ff9f}]?/gsu;

/** An emoji is one word, however many characters it has; skin tone is ignored. Anything else is a space or a dash. */
function emoji(text: string, start: number, each: EachWord): number {
  const found = matchAt(emojiShape, text, start);
  if (found === undefined) return start + 1;
  each(found.replace(/[\u{fe0f}\u{1f3fb}-\u{1f3ff}]/gu, ""), start, start + found.length);
  return start + found.length;
}

const emojiShape = (() => {
  const one = "\\p{Extended_Pictographic}[\\u{fe0f}\\u{1f3fb}-\\u{1f3ff}]*";
  // The chain is bounded, as words are.
  return new RegExp(`${one}(?:\\u{200d}${one}){0,9}|\\p{RI}\\p{RI}`, "uy");
})();

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
