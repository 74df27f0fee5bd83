import fc from "fast-check";
import { expect, test } from "vitest";
import { PostingLists } from "./posting-lists.ts";

test("posting lists that grow side by side keep their own entries in order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(2 ** 32 - 1), { maxLength: 5_000 }),
      fc.integer({ min: 1, max: 9 }),
      (values, count) => {
        const lists = new PostingLists();
        const grown = Array.from({ length: count }, () => ({
          list: lists.begin(),
          expected: [] as number[],
        }));
        for (const [at, value] of values.entries()) {
          // One list gets most of the numbers.
          const one = grown[at % 7 === 0 ? at % count : 0];
          if (!one) continue;
          lists.add(one.list, value);
          expect(lists.lastOf(one.list)).toBe(value);
          lists.changeLast(one.list, value >>> 1);
          one.expected.push(value >>> 1);
        }
        for (const { list, expected } of grown) {
          expect([...lists.read(list)]).toEqual(expected);
        }
        expect(lists.count).toBe(values.length);
      },
    ),
    { numRuns: 60 },
  );
});

test("more posting lists than fit on a page keep their entries", () => {
  const lists = new PostingLists();
  const all = Array.from({ length: 100_000 }, (_, at) => {
    const list = lists.begin();
    lists.add(list, at);
    lists.add(list, at + 1);
    return list;
  });
  expect([...lists.read(all[99_999] ?? lists.begin())]).toEqual([99_999, 100_000]);
});
