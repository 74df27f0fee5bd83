/**
 * A path as the system knows it: bytes, one character (U+0000 to U+00FF) for each, so that a name that is not UTF-8
 * is kept exactly and can still be a key. Text goes in and out only through these two.
 */
export type BytePath = string & { readonly __brand: "BytePath" };

export function bytePath(text: string): BytePath {
  return Buffer.from(text, "utf8").toString("latin1") as BytePath;
}

/** Nothing when the bytes are not UTF-8. */
export function textOfBytePath(path: BytePath): string | undefined {
  try {
    return strict.decode(Buffer.from(path, "latin1"));
  } catch {
    return undefined;
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
