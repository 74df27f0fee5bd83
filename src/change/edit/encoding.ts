/**
 * Detects text that is not UTF-8 from its bytes. Replies are UTF-8, so searching such a file for their text finds
 * nothing or the wrong place, and adding their text makes the file unreadable.
 */
export interface ForeignEncoding {
  /** The name that `iconv` uses. */
  readonly name: string;
  /** What indicates it, worded as the end of a sentence about the file. */
  readonly sign: string;
}

export function foreignEncoding(bytes: Uint8Array): ForeignEncoding | undefined {
  const mark = marks.find(({ bytes: begin }) => begin.every((byte, at) => bytes[at] === byte));
  if (mark) {
    const shown = mark.bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
    return { name: mark.name, sign: `begins with the byte order mark ${shown}` };
  }
  const name = withoutMark(bytes.subarray(0, sampleBytes));
  return name === undefined ? undefined : { name, sign: "has a NUL beside nearly every character" };
}

/** Longer marks first: the mark of UTF-32LE begins with that of UTF-16LE. */
const marks: readonly { readonly name: string; readonly bytes: readonly number[] }[] = [
  { name: "UTF-32LE", bytes: [0xff, 0xfe, 0, 0] },
  { name: "UTF-32BE", bytes: [0, 0, 0xfe, 0xff] },
  { name: "UTF-16LE", bytes: [0xff, 0xfe] },
  { name: "UTF-16BE", bytes: [0xfe, 0xff] },
];

const sampleBytes = 4096;
/**
 * Minimum share of NULs where plain letters have one, and maximum share where they have none. Real text has some other
 * letters.
 */
const nulsMin = 0.7;
const nulsMax = 0.05;

/** In UTF-16 and UTF-32, Western letters have NULs at fixed positions; binary data has them anywhere, or nowhere. */
function withoutMark(sample: Uint8Array): string | undefined {
  if (sample.length < 4 || !sample.includes(0)) return undefined;
  const shares = [0, 1, 2, 3].map((place) => nulShare(sample, place));
  const isLike = (pattern: readonly boolean[]) =>
    pattern.every((isNul, place) =>
      isNul ? (shares[place] ?? 0) >= nulsMin : (shares[place] ?? 1) <= nulsMax,
    );
  return patterns.find(({ nuls }) => isLike(nuls))?.name;
}

const patterns: readonly { readonly name: string; readonly nuls: readonly boolean[] }[] = [
  { name: "UTF-16LE", nuls: [false, true, false, true] },
  { name: "UTF-16BE", nuls: [true, false, true, false] },
  { name: "UTF-32LE", nuls: [false, true, true, true] },
  { name: "UTF-32BE", nuls: [true, true, true, false] },
];

function nulShare(sample: Uint8Array, place: number): number {
  let [nuls, all] = [0, 0];
  for (let at = place; at < sample.length; at += 4) {
    all++;
    if (sample[at] === 0) nuls++;
  }
  return nuls / all;
}
