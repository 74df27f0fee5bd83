/** Computes git's name for an object, without git. */
import { createHash } from "node:crypto";
import type { CheckoutPaths } from "./command/checkout-paths.ts";

export function hashObject(
  { objectFormat }: Pick<CheckoutPaths, "objectFormat">,
  object: { readonly type: "blob" | "commit"; readonly bytes: Uint8Array },
): string {
  return createHash(objectFormat).update(storedForm(object)).digest("hex");
}

/** The bytes that are hashed, and compressed into a file. */
export function storedForm(object: { readonly type: string; readonly bytes: Uint8Array }): Uint8Array {
  return Buffer.concat([Buffer.from(`${object.type} ${object.bytes.length}\0`), object.bytes]);
}
