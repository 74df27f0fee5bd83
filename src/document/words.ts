/**
 * The words of a text as the search knows them: letters and digits of any script, in lower case, without accents.
 *
 * Scripts that write no blanks between words (Chinese, Japanese, Thai) give pairs of characters; `camelCase` gives its
 * parts besides the whole. Looks at every character a bounded number of times.
 */
export type EachWord = (word: string, start: number, end: number) => void;

export function eachWord(text: string, each: EachWord): void {
  for (let at = 0; at < text.length; ) {
    const kind = kindAt(text, at);
    if (kind === 0) {
      at += 1;
      continue;
    }
    // Nearly all words are plain letters, and a pattern for all scripts is five times slower on them.
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

/** A query: each of its words once, the last one as the beginning of a word where nothing stands behind it. */
export interface Query {
  readonly words: readonly string[];
  readonly prefix?: string;
}

export function readQuery(query: string): Query {
  const words: string[] = [];
  let last = { word: "", end: -1 };
  eachWord(query, (word, start, end) => {
    // The parts of a camelCase word lie inside the whole, which comes first.
    if (start < last.end && !isUnspaced(word)) return;
    last = { word, end };
    words.push(word);
  });
  const prefix = last.end === query.length && !isUnspaced(last.word) ? last.word : undefined;
  const whole = [...new Set(words.filter((word) => word !== prefix))].slice(0, queryWordsMax);
  return prefix === undefined ? { words: whole } : { words: whole, prefix };
}

/** Longer ones are known by their beginning: nobody looks for a hash by its end. */
const wordLengthMax = 40;
const queryWordsMax = 32;

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

function isUnspaced(word: string): boolean {
  return unspaced.test(word);
}

const small = 1;
const capital = 2;
const other = 4;

/** 0 for what is in no word; `other` for what is not ASCII, and may be. */
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

/** Takes a run with letters beyond ASCII; answers where it ends. */
function otherRun(text: string, start: number, each: EachWord): number {
  const pattern = /[\p{L}\p{N}\p{M}]+/uy;
  pattern.lastIndex = start;
  const run = pattern.exec(text)?.[0];
  // A blank, a dash or a picture.
  if (run === undefined) return start + 1;
  let from = start;
  for (const part of isUnspaced(run) ? run.split(splitScripts) : [run]) {
    if (isUnspaced(part)) pairs(part, from, each);
    else if (part !== "") each(folded(part.slice(0, wordLengthMax)), from, from + part.length);
    from += part.length;
  }
  return start + run.length;
}

const splitScripts = new RegExp(`((?:${unspaced.source}\\p{M}*)+)`, "u");

/** One character alone is a word too, where it stands alone. */
function pairs(run: string, start: number, each: EachWord): void {
  const characters = [...run];
  if (characters.length === 1) each(run, start, start + run.length);
  let from = start;
  for (let at = 0; at + 1 < characters.length; at += 1) {
    const [one = "", other = ""] = [characters[at], characters[at + 1]];
    each(one + other, from, from + one.length + other.length);
    from += one.length;
  }
}

function folded(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
