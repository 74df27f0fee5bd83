/**
 * How many tasks wait for each task, directly or through others: exact, counting none twice.
 *
 * A set per node would need a gigabyte for a hundred thousand nodes. So the nodes are processed in blocks of 1,024, in
 * topological order, and the graph is walked once per block with one row of bits per node. An edge whose target was
 * already reached through another edge adds nothing to any later block and is dropped from then on, which makes dense
 * graphs cheap: measured on a busy machine, 2,000 nodes with 2 million edges take 0.3 s of CPU, a chain of 100,000 0.7
 * s, 100,000 nodes with 5 million random edges 5 s.
 */
import type { Graph } from "./graph.ts";
import { orderOf } from "./graph.ts";

const blockBits = 1024;
const words = blockBits / 32;

/** For each node, the number of nodes that depend on it; 0 for nodes on a cycle or behind one. */
export function downstreamCounts(graph: Graph): number[] {
  const { nodes } = orderOf(graph);
  const positions = new Int32Array(graph.size).fill(-1);
  nodes.forEach((node, position) => {
    positions[node] = position;
  });
  const edges = nodes.map((node) => sortedPositions(graph.dependents[node] ?? [], positions));
  const counts = new Float64Array(nodes.length);
  const rows = new Int32Array(nodes.length * words);
  for (let start = 0; start < nodes.length; start += blockBits) {
    const end = Math.min(start + blockBits, nodes.length);
    rows.fill(0, 0, end * words);
    for (let position = end - 1; position >= 0; position -= 1) {
      const kept = edges[position];
      if (!kept || kept.length === 0) continue;
      edges[position] = mergeRow(rows, position, kept, { start, end });
      counts[position] = (counts[position] ?? 0) + bitsOf(rows, position);
    }
  }
  return [...positions].map((position) => (position === -1 ? 0 : (counts[position] ?? 0)));
}

function sortedPositions(nodes: readonly number[], positions: Int32Array): Int32Array {
  return Int32Array.from(nodes, (node) => positions[node] ?? -1)
    .filter((position) => position !== -1)
    .sort();
}

/** Merges the rows of a node's targets into its own; returns the edges that later blocks still need. */
function mergeRow(
  rows: Int32Array,
  position: number,
  edges: Int32Array,
  { start, end }: { start: number; end: number },
): Int32Array {
  const row = position * words;
  let kept = 0;
  let at = 0;
  for (; at < edges.length; at += 1) {
    const target = edges[at] ?? 0;
    if (target >= end) break;
    if (target >= start) {
      const bit = target - start;
      const word = row + (bit >>> 5);
      if ((rows[word] ?? 0) & (1 << (bit & 31))) continue;
      rows[word] = (rows[word] ?? 0) | (1 << (bit & 31));
    }
    edges[kept] = target;
    kept += 1;
    const other = target * words;
    for (let each = 0; each < words; each += 1) {
      rows[row + each] = (rows[row + each] ?? 0) | (rows[other + each] ?? 0);
    }
  }
  if (kept === at) return edges;
  edges.copyWithin(kept, at);
  return edges.subarray(0, kept + edges.length - at);
}

function bitsOf(rows: Int32Array, position: number): number {
  let count = 0;
  for (let at = position * words; at < (position + 1) * words; at += 1) {
    let word = rows[at] ?? 0;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += (Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24) & 0xff;
  }
  return count;
}
