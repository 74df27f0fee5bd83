/** Text ⇄ bytes. */
const encoder = new TextEncoder();
// Treat the byte order mark like any other character: files that have one keep it.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** For reading only, never for writing back: bytes that are not UTF-8 become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function utf8Length(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) length += 1;
    else if (unit < 0x800) length += 2;
    // A surrogate pair takes four bytes; half of them are counted at each unit.
    else if (unit >= 0xd800 && unit <= 0xdfff) length += 2;
    else length += 3;
  }
  return length;
}
