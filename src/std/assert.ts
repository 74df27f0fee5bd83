/** States a claim about our own code. A failure is our bug (exit 70), never a user's mistake. */
export function assert(holds: unknown, claim: string): asserts holds {
  if (!holds) throw new BrokenClaim(claim);
}

/** Ends a `switch` over a union: a new member fails to compile wherever it is not handled. */
export function unreachable(value: never): never {
  throw new BrokenClaim(`every case is handled, yet ${JSON.stringify(value)} came`);
}

export class BrokenClaim extends Error {
  override name = "BrokenClaim";
}
