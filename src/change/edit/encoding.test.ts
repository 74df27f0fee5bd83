import { expect, test } from "vitest";
import { foreignEncoding } from "./encoding.ts";

const text = "Nothing found, and möre.\r\n";
const utf16 = (words: string, mark = "") => new Uint8Array(Buffer.from(mark + words, "utf16le"));
const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16());
const utf32 = (words: string) =>
  new Uint8Array(new Uint32Array([...words].map((one) => one.codePointAt(0) ?? 0)).buffer);
const binary = Uint8Array.from({ length: 5000 }, (_, at) => ((at * 7919) % 251) & ((at % 3) * 127));

test.each<[string, Uint8Array, string | undefined]>([
  ["a mark, little end first", utf16(text, "\ufeff"), "UTF-16LE"],
  ["a mark, big end first", swapped(utf16(text, "\ufeff")), "UTF-16BE"],
  ["a mark and nothing else", utf16("\ufeff"), "UTF-16LE"],
  ["a mark, and letters without any NUL", utf16("限流限流", "\ufeff"), "UTF-16LE"],
  ["no mark, little end first", utf16(text), "UTF-16LE"],
  ["no mark, big end first", swapped(utf16(text)), "UTF-16BE"],
  ["four bytes a letter, with a mark", utf32(`\ufeff${text}`), "UTF-32LE"],
  ["four bytes a letter, without one", utf32(text), "UTF-32LE"],
  ["UTF-8", new TextEncoder().encode(text), undefined],
  ["UTF-8 with a mark", new TextEncoder().encode(`\ufeff${text}`), undefined],
  ["UTF-8 with a NUL here and there", new TextEncoder().encode("a\0b and so on\n"), undefined],
  ["Latin-1", new Uint8Array(Buffer.from(text, "latin1")), undefined],
  ["a binary file with many NULs", binary, undefined],
  ["nothing but NULs", new Uint8Array(100), undefined],
  ["nothing", new Uint8Array(), undefined],
])("%s", (_what, bytes, name) => {
  expect(foreignEncoding(bytes)?.name).toBe(name);
});
