/**
 * CRLF. Models see and write LF, so taken literally a file with CRLF could hardly be edited, and an edit that
 * did match would leave mixed line ends behind.
 *
 * The rule, for replacements and patches alike: in a file whose every line end is CRLF, text that shows no CR at
 * a line end is read and written with CRLF. Text that does show one is taken literally, and so is everything in
 * a file with LF or mixed line ends.
 */
export function usesCrlf(bytes: Uint8Array): boolean {
  let at = bytes.indexOf(lineFeed);
  if (at < 0) return false;
  for (; at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at - 1] !== carriageReturn) return false;
  }
  return true;
}

export function toCrlf(text: string): string {
  return text.replace(/(?<!\r)\n/g, "\r\n");
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
