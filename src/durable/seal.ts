/** JSON on one line that carries its own checksum as the last field, so a flipped bit or a missing end is noticed. */
import { sha256 } from "../world/files/hash.ts";

export interface Sealed {
  readonly text: string;
  readonly sum: string;
}

export function seal(value: object): Sealed {
  return sealText(JSON.stringify(value));
}

/** The same, for an object that is already JSON text. */
export function sealText(body: string): Sealed {
  const sum = sumOf(body);
  return { text: `${body.slice(0, -1)},"sum":"${sum}"}`, sum };
}

/** Undefined unless `seal` produced the text. */
export function unseal(text: string): { readonly value: unknown; readonly sum: string } | undefined {
  const cut = text.lastIndexOf(',"sum":"');
  if (cut < 0) return undefined;
  const body = `${text.slice(0, cut)}}`;
  const sum = sumOf(body);
  if (text.slice(cut) !== `,"sum":"${sum}"}`) return undefined;
  try {
    return { value: JSON.parse(body), sum };
  } catch {
    return undefined;
  }
}

function sumOf(body: string): string {
  return sha256(body).slice(0, 32);
}
