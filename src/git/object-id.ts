/** The name that git gives to an object, computed without git. */
import { createHash } from "node:crypto";
import type { Place } from "./place.ts";

export function objectId(
  { objectFormat }: Pick<Place, "objectFormat">,
  object: { readonly type: "blob" | "commit"; readonly bytes: Uint8Array },
): string {
  return createHash(objectFormat).update(storedForm(object)).digest("hex");
}

/** What is hashed, and compressed into a file. */
export function storedForm(object: { readonly type: string; readonly bytes: Uint8Array }): Uint8Array {
  return Buffer.concat([Buffer.from(`${object.type} ${object.bytes.length}\0`), object.bytes]);
}
