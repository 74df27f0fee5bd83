import fc from "fast-check";
import { expect, test } from "vitest";
import { RankSet } from "./rank-set.ts";

test("a rank set's next member is the one that a sorted list would give, whatever was added and removed", () => {
  const act = fc.record({ add: fc.boolean(), rank: fc.nat(99_999) });
  fc.assert(
    fc.property(
      fc.array(act, { maxLength: 60 }),
      fc.array(fc.nat(99_999), { maxLength: 20 }),
      (acts, asked) => {
        const ranks = new RankSet(100_000);
        const model = new Set<number>();
        for (const { add, rank } of acts) {
          if (add) ranks.add(rank);
          else ranks.delete(rank);
          if (add) model.add(rank);
          else model.delete(rank);
        }
        expect(ranks.size).toBe(model.size);
        const sorted = [...model].sort((one, other) => one - other);
        for (const from of [0, ...asked, ...sorted, ...sorted.map((rank) => rank + 1)])
          expect(ranks.next(from)).toBe(sorted.find((rank) => rank >= from));
      },
    ),
  );
});

test("a rank set finds a lone last member of a million from the first", () => {
  const ranks = new RankSet(1_000_000);
  ranks.add(999_999);
  expect(ranks.next(0)).toBe(999_999);
  expect(ranks.next(1_000_000)).toBeUndefined();
});
