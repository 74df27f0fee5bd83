/**
 * Decodes a reply's bytes to text, all or nothing: a replacement character would end up in somebody's file.
 */
import { counted } from "../../std/counted.ts";
import type { Problem } from "../../std/problem.ts";

export type Decoded = { readonly text: string } | { readonly problem: Problem };

export function decode(reply: Uint8Array | string): Decoded {
  if (typeof reply === "string") {
    // A UTF-16 unit takes at least one byte of UTF-8, so a string longer than this is too long in any case.
    if (reply.length > replyBytesMax) return { problem: tooLarge(reply.length, "character") };
    return { text: reply.startsWith("\ufeff") ? reply.slice(1) : reply };
  }
  if (reply.length > replyBytesMax) return { problem: tooLarge(reply.length, "byte") };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(reply) };
  } catch {
    return { problem: notUtf8(reply) };
  }
}

export const replyBytesMax = 64 * 1024 * 1024;

function tooLarge(length: number, unit: string): Problem {
  return {
    code: "LIMIT_REPLY",
    message: `the reply has ${counted(length, unit)}; the limit is ${counted(replyBytesMax, "byte")}`,
    hint: "Split the work over several replies.",
  };
}

function notUtf8(bytes: Uint8Array): Problem {
  const { at, cutOff } = firstInvalid(bytes);
  if (cutOff) {
    return {
      code: "JSON_SYNTAX",
      message: `the reply was cut off: it ends in the middle of a character, at byte ${at}`,
      hint: "Send all of it again, in smaller operations or several replies if it is too long.",
    };
  }
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const found = [...bytes.subarray(at, at + 4)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return {
    code: "JSON_NOT_UTF8",
    message: `the reply is not valid UTF-8 at byte ${at} (found ${found})`,
    hint: isUtf16
      ? "The reply begins like UTF-16: convert it, for example with iconv -f UTF-16 -t UTF-8."
      : "Send the reply as UTF-8 text. A binary file cannot be part of a reply.",
  };
}

/** The offset of the first byte that is not part of a well-formed sequence; `cutOff` if only the end is missing. */
function firstInvalid(bytes: Uint8Array): { at: number; cutOff: boolean } {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    const length =
      lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length === 0) return { at, cutOff: false };
    for (let step = 1; step < length; step += 1) {
      const next = bytes[at + step];
      if (next === undefined) return { at, cutOff: true };
      if (!continues(lead, step, next)) return { at, cutOff: false };
    }
    at += length;
  }
  return { at, cutOff: false };
}

/**
 * For four of the lead bytes, the range of the second byte is narrower: it excludes overlong forms, surrogates, and
 * everything above U+10FFFF.
 */
function continues(lead: number, step: number, byte: number): boolean {
  if (step === 1) {
    if (lead === 0xe0) return byte >= 0xa0 && byte <= 0xbf;
    if (lead === 0xed) return byte >= 0x80 && byte <= 0x9f;
    if (lead === 0xf0) return byte >= 0x90 && byte <= 0xbf;
    if (lead === 0xf4) return byte >= 0x80 && byte <= 0x8f;
  }
  return byte >= 0x80 && byte <= 0xbf;
}
