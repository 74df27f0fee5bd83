/**
 * A state that counts every read and write in it: each property, each entry of a map, set or list. The cost of a step
 * is then a number that is the same on every machine.
 */
export interface Counter {
  count: number;
}

export function counted<T extends object>(target: T, counter: Counter): T {
  return wrap(target, counter, { wrapped: new WeakMap(), targets: new WeakMap() });
}

interface Wrapped {
  readonly wrapped: WeakMap<object, object>;
  readonly targets: WeakMap<object, object>;
}

function wrap<T>(value: T, counter: Counter, known: Wrapped): T {
  if (typeof value !== "object" || value === null) return value;
  const before = known.wrapped.get(value) ?? (known.targets.has(value) ? value : undefined);
  if (before) return before as T;
  const bare = (one: unknown) => (typeof one === "object" && one !== null && known.targets.get(one)) || one;
  const proxy = new Proxy(value, {
    get(target, name) {
      counter.count += 1;
      const found = Reflect.get(target, name, target);
      if (typeof found !== "function" || Array.isArray(target)) return wrap(found, counter, known);
      // Maps, sets and rank sets keep their data where a proxy cannot see it: their methods need the object itself.
      return (...given: unknown[]) => {
        const answer = Reflect.apply(found, target, given.map(bare));
        return isIterator(answer) ? counting(answer, counter, known) : wrap(answer, counter, known);
      };
    },
    set(target, name, value) {
      counter.count += 1;
      return Reflect.set(target, name, bare(value), target);
    },
  });
  known.wrapped.set(value, proxy);
  known.targets.set(proxy, value);
  return proxy;
}

function isIterator(value: unknown): value is IterableIterator<unknown> {
  return typeof value === "object" && value !== null && "next" in value && Symbol.iterator in value;
}

function* counting(values: Iterable<unknown>, counter: Counter, known: Wrapped): Generator {
  for (const value of values) {
    counter.count += 1;
    yield wrap(value, counter, known);
  }
}
