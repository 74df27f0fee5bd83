/**
 * Finds one sequence inside another (Knuth–Morris–Pratt) in linear time for any input, so no reply can make a search
 * slow. Used for bytes and for lines of a file.
 */
export function* find<T>(needle: ArrayLike<T>, haystack: ArrayLike<T>): Generator<number, void, undefined> {
  if (needle.length === 0 || needle.length > haystack.length) return;
  const borders = bordersOf(needle);
  let matched = 0;
  for (let at = 0; at < haystack.length; at++) {
    while (matched > 0 && needle[matched] !== haystack[at]) matched = borders[matched - 1] ?? 0;
    if (needle[matched] === haystack[at]) matched++;
    if (matched === needle.length) {
      yield at - matched + 1;
      matched = borders[matched - 1] ?? 0;
    }
  }
}

/** Occurrences that do not overlap, from left to right. */
export function* findApart<T>(
  needle: ArrayLike<T>,
  haystack: ArrayLike<T>,
): Generator<number, void, undefined> {
  let free = 0;
  for (const at of find(needle, haystack)) {
    if (at < free) continue;
    yield at;
    free = at + needle.length;
  }
}

/** For each prefix of the needle, the length of its longest proper prefix that is also its suffix. */
function bordersOf<T>(needle: ArrayLike<T>): Int32Array {
  const borders = new Int32Array(needle.length);
  let length = 0;
  for (let at = 1; at < needle.length; at++) {
    while (length > 0 && needle[at] !== needle[length]) length = borders[length - 1] ?? 0;
    if (needle[at] === needle[length]) length++;
    borders[at] = length;
  }
  return borders;
}
