/**
 * Divides the available bytes among texts: small ones get all they need, large ones an equal share of the rest, so that
 * none crowds out the others.
 *
 * Closer texts come first; deeper ones get a quarter of the space, if they need that much.
 */
export interface Need {
  readonly depth: number;
  readonly bytes: number;
}

export function shareRoom(needs: readonly Need[], room: number): readonly number[] {
  const shares = needs.map(() => 0);
  let left = room;
  for (const depth of [...new Set(needs.map((need) => need.depth))].sort((one, other) => one - other)) {
    const here = needs.flatMap((need, at) => (need.depth === depth ? { at, bytes: need.bytes } : []));
    const deeper = needs.reduce((sum, need) => (need.depth > depth ? sum + need.bytes : sum), 0);
    const given = shareAlike(here, left - Math.min(deeper, Math.floor(left / 4)));
    for (const [at, bytes] of given) {
      shares[at] = bytes;
      left -= bytes;
    }
  }
  return shares;
}

interface RoomRequest {
  readonly at: number;
  readonly bytes: number;
}

/** If the shares would be too small to be useful, the last texts that need more get nothing. */
function shareAlike(requests: readonly RoomRequest[], room: number): ReadonlyMap<number, number> {
  for (let kept = requests; ; ) {
    const shares = evenly(kept, room);
    const isPoor = ({ at, bytes }: RoomRequest) => {
      const share = shares.get(at) ?? 0;
      return share < bytes && share < leastShare;
    };
    const last = kept.length > 1 ? kept.findLast(isPoor) : undefined;
    if (!last) return shares;
    kept = kept.filter((request) => request !== last);
  }
}

/** A page of text. */
const leastShare = 1_500;

function evenly(requests: readonly RoomRequest[], room: number): Map<number, number> {
  const shares = new Map<number, number>();
  let left = room;
  for (const [count, { at, bytes }] of requests.toSorted((one, other) => one.bytes - other.bytes).entries()) {
    const share = Math.min(bytes, Math.floor(left / (requests.length - count)));
    shares.set(at, share);
    left -= share;
  }
  return shares;
}
