/**
 * CRLF handling. Models see and write LF, so if edits were taken literally, a CRLF file could hardly be edited, and an
 * edit that did match would leave mixed line endings.
 *
 * The rule, for replacements and patches alike: in a file whose every line ends in CRLF, text without a CR at a line
 * end is read and written with CRLF. Text that has one is taken literally, and so is everything in a file with LF or
 * mixed line endings.
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
