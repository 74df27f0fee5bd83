/**
 * What depends on what, by index: levels, cycles, and how many tasks each one holds up.
 *
 * Nothing recurses, so a chain of a hundred thousand works like any other shape.
 */
export interface Graph {
  readonly size: number;
  /** For each node, the nodes it depends on, each once, in ascending order. */
  readonly dependencies: readonly (readonly number[])[];
  readonly dependents: readonly (readonly number[])[];
}

export function makeGraph(dependencies: readonly (readonly number[])[]): Graph {
  const clean = dependencies.map((each) => [...new Set(each)].sort((one, other) => one - other));
  const dependents: number[][] = clean.map(() => []);
  clean.forEach((each, node) => {
    for (const dependency of each) dependents[dependency]?.push(node);
  });
  return { size: clean.length, dependencies: clean, dependents };
}

export interface TaskOrder {
  /** Every dependency comes before its dependents, by level and then in the order of the document. */
  readonly nodes: readonly number[];
  /** From 0; -1 for nodes on a cycle or behind one. */
  readonly levels: readonly number[];
}

export function orderOf({ size, dependencies, dependents }: Graph): TaskOrder {
  const unmet = dependencies.map((each) => each.length);
  const levels = new Array<number>(size).fill(-1);
  const nodes: number[] = [];
  let level = unmet.flatMap((count, node) => (count === 0 ? [node] : []));
  for (let number = 0; level.length > 0; number += 1) {
    const next: number[] = [];
    for (const node of level) {
      levels[node] = number;
      nodes.push(node);
      for (const dependent of dependents[node] ?? []) {
        const left = (unmet[dependent] ?? 0) - 1;
        unmet[dependent] = left;
        if (left === 0) next.push(dependent);
      }
    }
    level = next.sort((one, other) => one - other);
  }
  return { nodes, levels };
}

/**
 * Each cycle is a path that ends where it began. There is one for each group of tasks that wait for each other, and one
 * for each task that waits for itself.
 */
export function findCycles(graph: Graph, cyclesMax: number): number[][] {
  const { levels } = orderOf(graph);
  const cycles: number[][] = [];
  const knots = knotsOf(graph, (node) => levels[node] === -1);
  for (const knot of knots) {
    if (cycles.length >= cyclesMax) break;
    // A task that waits for itself is reported in addition to its larger cycle: fixing one leaves the other.
    for (const node of knot) if (graph.dependencies[node]?.includes(node)) cycles.push([node, node]);
    if (knot.length > 1) cycles.push(shortestCycle(graph, knot));
  }
  return cycles.slice(0, cyclesMax);
}

/** Strongly connected components with a cycle in them (Tarjan's algorithm with a stack of its own). */
function knotsOf({ size, dependencies }: Graph, isSuspect: (node: number) => boolean): number[][] {
  const index = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const isOpen = new Uint8Array(size);
  const open: number[] = [];
  const knots: number[][] = [];
  let count = 0;
  const enter = (node: number) => {
    index[node] = count;
    low[node] = count;
    count += 1;
    open.push(node);
    isOpen[node] = 1;
    return { node, edge: 0 };
  };
  for (let root = 0; root < size; root += 1) {
    if (index[root] !== -1 || !isSuspect(root)) continue;
    const path = [enter(root)];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { node } = top;
      const next = dependencies[node]?.[top.edge];
      if (next !== undefined) {
        top.edge += 1;
        if (!isSuspect(next)) continue;
        if (index[next] === -1) path.push(enter(next));
        else if (isOpen[next]) low[node] = Math.min(low[node] ?? 0, index[next] ?? 0);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent) low[parent.node] = Math.min(low[parent.node] ?? 0, low[node] ?? 0);
      if (low[node] !== index[node]) continue;
      const knot = open.splice(open.lastIndexOf(node));
      for (const each of knot) isOpen[each] = 0;
      if (knot.length > 1 || dependencies[node]?.includes(node))
        knots.push(knot.sort((one, other) => one - other));
    }
  }
  return knots.sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
}

/** The shortest path from the group's first node back to itself. */
function shortestCycle({ dependencies }: Graph, knot: readonly number[]): number[] {
  const first = knot[0] ?? 0;
  const inside = new Set(knot);
  const cameFrom = new Map<number, number>();
  const queue = [first];
  for (let at = 0; at < queue.length; at += 1) {
    const node = queue[at] ?? 0;
    for (const next of dependencies[node] ?? []) {
      if (next === node) continue;
      if (next === first) {
        const path = [first];
        for (let step = node; step !== first; step = cameFrom.get(step) ?? first) path.push(step);
        return [first, ...path.slice(1).reverse(), first];
      }
      if (!inside.has(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return [first, first];
}
