import fc from "fast-check";
import { expect, test } from "vitest";
import { downstreamCounts } from "./downstream.ts";
import { findCycles, makeGraph, orderOf } from "./graph.ts";

/** Any graph: edges to earlier nodes, and possibly some to later ones. */
const graphs = (mayBeCyclic: boolean) =>
  fc
    .array(fc.array(fc.nat({ max: 60 }), { maxLength: 4 }), { maxLength: 60 })
    .map((rows) =>
      rows.map((row, node) =>
        row.flatMap((each) => (mayBeCyclic ? each % rows.length : node === 0 ? [] : each % node)),
      ),
    );

/** Searches from every node: slow, but obviously correct. */
function countedOneByOne(dependencies: readonly (readonly number[])[]): number[] {
  return dependencies.map((_, node) => {
    const reached = new Set<number>();
    const queue = [node];
    for (const each of queue) {
      dependencies.forEach((row, dependent) => {
        if (row.includes(each) && !reached.has(dependent)) {
          reached.add(dependent);
          queue.push(dependent);
        }
      });
    }
    return reached.size;
  });
}

test("a task's level is the longest way from a task without dependencies", () => {
  expect(orderOf(makeGraph([[], [0], [0], [1, 2, 0], []]))).toEqual({
    nodes: [0, 4, 1, 2, 3],
    levels: [0, 1, 1, 2, 0],
  });
});

test("a task on a circle or behind one has no level", () => {
  expect(orderOf(makeGraph([[1], [0], [1], []])).levels).toEqual([-1, -1, -1, 0]);
});

test("counts of dependent tasks are those of a search from every task", () => {
  fc.assert(
    fc.property(graphs(false), (dependencies) => {
      expect(downstreamCounts(makeGraph(dependencies))).toEqual(countedOneByOne(dependencies));
    }),
  );
});

test("counts of dependent tasks hold over many blocks of bits", () => {
  const size = 5000;
  const dependencies = Array.from({ length: size }, (_, node) =>
    node === 0 ? [] : [Math.floor((node - 1) / 2)],
  );
  const counts = downstreamCounts(makeGraph(dependencies));
  const expected = new Array<number>(size).fill(0);
  for (let node = size - 1; node > 0; node--) {
    const parent = Math.floor((node - 1) / 2);
    expected[parent] = (expected[parent] ?? 0) + (expected[node] ?? 0) + 1;
  }
  expect(counts).toEqual(expected);
});

test("a circle is found exactly if there is no topological order, and each is a path back to its start", () => {
  fc.assert(
    fc.property(graphs(true), (dependencies) => {
      const graph = makeGraph(dependencies);
      const cycles = findCycles(graph, 1000);
      expect(cycles.length > 0).toBe(orderOf(graph).levels.includes(-1));
      for (const cycle of cycles) {
        expect(cycle.at(-1)).toBe(cycle[0]);
        expect(new Set(cycle.slice(1)).size).toBe(cycle.length - 1);
        cycle.slice(1).forEach((next, at) => {
          expect(dependencies[cycle[at] ?? -1]).toContain(next);
        });
      }
    }),
  );
});

test("a chain of 100,000 tasks needs no stack: levels, counts and the circle it can be closed to", () => {
  const size = 100_000;
  const chain = Array.from({ length: size }, (_, node) => (node === 0 ? [] : [node - 1]));
  const graph = makeGraph(chain);
  expect(orderOf(graph).levels.at(-1)).toBe(size - 1);
  const counts = downstreamCounts(graph);
  expect([counts[0], counts[50_000], counts.at(-1)]).toEqual([size - 1, size - 50_001, 0]);
  expect(findCycles(makeGraph(chain.with(0, [size - 1])), 10)).toMatchObject([{ length: size + 1 }]);
});

test("PLAN-11 2,000 tasks with 2 million dependencies are counted", () => {
  const size = 2000;
  const graph = makeGraph(
    Array.from({ length: size }, (_, node) => Array.from({ length: node }, (_, at) => at)),
  );
  expect(downstreamCounts(graph)).toEqual(Array.from({ length: size }, (_, node) => size - 1 - node));
  expect(findCycles(graph, 10)).toEqual([]);
});
