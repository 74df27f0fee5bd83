/** The one hash of the project, from Node's own library. */
import { hash } from "node:crypto";
import type { Sha256 } from "../change/change.ts";

export function sha256(bytes: Uint8Array | string): Sha256 {
  return hash("sha256", bytes, "hex") as Sha256;
}
