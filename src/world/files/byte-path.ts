/**
 * A path as the system knows it: raw bytes, stored as one character (U+0000 to U+00FF) per byte. A name that is not
 * UTF-8 is kept exactly and can still be used as a key. Convert to and from text only with the functions below.
 */
export type BytePath = string & { readonly __brand: "BytePath" };

export function bytePath(text: string): BytePath {
  return rawBytePath(Buffer.from(text, "utf8").toString("latin1"));
}

/** From what the system or git printed, decoded as `latin1`. */
export function rawBytePath(latin1: string): BytePath {
  return latin1 as BytePath;
}

/** The folder that relative paths begin at. */
export const noPath = rawBytePath("");

/** `name` must be ASCII or raw bytes. Either of the two may be empty. */
export function joinBytePath(folder: BytePath, name: string): BytePath {
  return rawBytePath(folder === "" ? name : name === "" ? folder : `${folder}/${name}`);
}

/** `undefined` when the bytes are not UTF-8. */
export function textOfBytePath(path: BytePath): string | undefined {
  try {
    return strict.decode(Buffer.from(path, "latin1"));
  } catch {
    return undefined;
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
