/** The only hash the project uses, from Node's own library. */
import { createHash, hash } from "node:crypto";
import type { Sha256 } from "../../change/change.ts";

export function sha256(bytes: Uint8Array | string): Sha256 {
  return hash("sha256", bytes, "hex") as Sha256;
}

/** The hash of the pieces joined together. */
export function sha256OfPieces(pieces: readonly Uint8Array[]): Sha256 {
  const all = createHash("sha256");
  for (const piece of pieces) all.update(piece);
  return all.digest("hex") as Sha256;
}
