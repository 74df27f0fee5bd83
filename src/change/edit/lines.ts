/**
 * A file as a list of lines, one character per byte, each with its line ending. Joining them gives the same bytes back,
 * in any encoding.
 */
export function splitLines(bytes: Uint8Array): string[] {
  return splitText(fromBytes(bytes));
}

export function joinLines(lines: readonly string[]): Uint8Array {
  const text = lines.join("");
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** One character per byte. */
export function fromBytes(bytes: Uint8Array): string {
  const chunk = 8192;
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += chunk) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + chunk)));
  }
  return parts.join("");
}

function splitText(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}
