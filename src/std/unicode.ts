/**
 * Characters that make a text look like something it is not. Paths may not contain them, file contents that do get a
 * warning, and messages never show them raw.
 */

/** C0, DEL, C1, and the two line separators that some programs take for a line end. */
export const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;

/** Marks, embeddings, overrides and isolates: they change the order in which text is shown. */
export const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * What Unicode says to show as nothing (zero-width characters, soft hyphen, fillers, tags, variation selectors, the
 * byte order mark), and five more that are blank in practice.
 */
export const invisible = /[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]/u;

/** Half of a surrogate pair: it has no UTF-8 form and would be written as U+FFFD. */
export const loneSurrogate = /\p{Surrogate}/u;

/** A variation selector with a visible effect: it picks the look of the pictograph before it. */
export const shownSelector = /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]/gu;

/** All of the above except the visible selectors, plus the other characters that only format text. */
export const dangerous = new RegExp(
  `(?!${shownSelector.source})(?:${[control, bidi, invisible, loneSurrogate, /\p{Format}/u].map(({ source }) => source).join("|")})`,
  "gu",
);

/** "U+202E", for the first character of a text. */
export function codePointName(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The index of the first surrogate without its partner; -1 if there is none. */
export function firstLoneSurrogate(text: string): number {
  return isWellFormed(text) ? -1 : text.search(loneSurrogate);
}

/**
 * Native (free for Latin-1, otherwise 0.6 ns per character) and in Node 20, but not in the type library we compile for.
 */
function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}
