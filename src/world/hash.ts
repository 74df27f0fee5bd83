/** The one hash of the project, from Node's own library. */
import { createHash } from "node:crypto";
import type { Sha256 } from "../change/change.ts";

export function sha256(bytes: Uint8Array | string): Sha256 {
  return createHash("sha256").update(bytes).digest("hex") as Sha256;
}
