import fc from "fast-check";
import { expect, test } from "vitest";
import { shareRoom } from "./share-room.ts";

const near = (bytes: number) => ({ depth: 1, bytes });
const far = (bytes: number) => ({ depth: 2, bytes });

test.each([
  ["small ones are given whole beside a large one", [near(90_000), near(700)], [39_300, 700]],
  ["large ones share alike", [near(90_000), near(80_000)], [20_000, 20_000]],
  ["what all need, all get", [near(10_000), far(20_000)], [10_000, 20_000]],
  ["what lies deeper has a quarter", [near(90_000), far(90_000)], [30_000, 10_000]],
  ["what lies deeper takes no more than it needs", [near(90_000), far(700)], [39_300, 700]],
  ["shares that say nothing are not made", Array.from({ length: 100 }, () => near(5_000)), undefined],
])("%s", (_title, needs, expected) => {
  const shares = shareRoom(needs, 40_000);
  if (expected) expect(shares).toEqual(expected);
  else expect(shares.filter((share) => share > 0 && share < 1_500)).toEqual([]);
});

test("no document gets more space than it needs, and all together no more than there is", () => {
  const need = fc.record({ depth: fc.integer({ min: 1, max: 3 }), bytes: fc.nat(30_000) });
  fc.assert(
    fc.property(fc.array(need, { maxLength: 30 }), fc.nat(50_000), (needs, room) => {
      const shares = shareRoom(needs, room);
      expect(shares.every((share, at) => share >= 0 && share <= (needs[at]?.bytes ?? 0))).toBe(true);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(room);
    }),
  );
});
